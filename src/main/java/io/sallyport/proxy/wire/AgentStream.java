package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import io.sallyport.http.Fields;
import io.sallyport.http.ResponseHead;
import io.sallyport.proxy.Refusal;

/**
 * One request on the agent's side, whichever version of HTTP carries it: its turn on an HTTP/1 connection, or a stream of an HTTP/2 one.
 * Everything happens on the connection's loop. An answer is a head, content and an end, and then {@link #finish}; or a refusal; or it is
 * broken off.
 */
interface AgentStream {

    /** Who carries the request out, and hears what else comes from the agent. */
    interface Listener {
        /** A piece of content; whoever gets it releases it. */
        void content(ByteBuf piece);

        void contentEnded(Fields trailers);

        void contentMalformed(String reason);

        /** What could be read just now has been read. */
        void contentPaused();

        boolean wantsContent();

        /** There is room for more of the answer. */
        void writable();

        /** Nobody waits for an answer any more. */
        void left();
    }

    EventLoop loop();

    ByteBufAllocator alloc();

    /** Begins to read the request's content, which comes by demand. */
    void readContent();

    /** The listener has room again. */
    void more();

    /** Whether more of the answer can be written without piling it up here. */
    boolean writable();

    /** @param head with a status below 200, cut to what the agent may see */
    void interim(ResponseHead head);

    /**
     * @param head cut to what the agent may see; its framing is the destination's
     * @param last true when the request is not wholly read, so that nothing else can follow on a connection that has one at a time
     */
    void head(ResponseHead head, boolean last);

    /** Takes the piece over. */
    void content(ByteBuf piece);

    void end(Fields trailers);

    void flush();

    /** The answer is out and the use is over: the connection goes on where it can. */
    void finish();

    /** Answers in the destination's place, and the request is over. */
    void refuse(Refusal refusal);

    /**
     * The request was a handshake that is answered by 101: that head is written, and from now on each side's bytes are another protocol's.
     * What the agent has sent already comes as content, before this returns. Then {@link #finish} or {@link #hangUp} ends it.
     */
    default void switchProtocols(ResponseHead head) {
        throw new IllegalStateException("no upgrade on this version of HTTP");
    }

    /** After {@link #switchProtocols}: the agent has said that no more comes. */
    default void contentDone() {}

    /**
     * After {@link #switchProtocols}: these last bytes go out, what comes is thrown away, and the connection is gone within a second even
     * where the agent does not take them. Takes them over.
     */
    default void hangUp(ByteBuf last) {
        last.release();
        reset();
    }

    /** Breaks off, so that a half answer can't pass for a whole one. */
    void reset();
}
