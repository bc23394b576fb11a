package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.Future;
import io.sallyport.http.Fields;
import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.flow.Touched;

/**
 * One request on the destination's side: a whole HTTP/1 connection while it lasts, or a stream of an HTTP/2 one. Everything happens on the
 * flow's own loop.
 */
interface UpstreamStream {

    /** Interim answers of one request; a destination that sends more sends them for their own sake. */
    int INTERIM_AT_MOST = 32;

    String TOO_MANY_INTERIM = "there are more than " + INTERIM_AT_MOST + " interim answers";

    /** Whoever waits for the answer. */
    interface Listener {
        void answerHead(ResponseHead head);

        /**
         * A piece of content; whoever gets it releases it.
         *
         * @param last true where it is known already that no more content follows; {@link #answerEnded} comes all the same
         */
        void answerContent(ByteBuf piece, boolean last);

        /** What could be read just now has been read. */
        void answerPaused();

        void answerEnded(Fields trailers);

        /** @param touched how far the destination got with the request */
        void upstreamFailed(Refusal refusal, Touched touched);

        boolean wantsAnswer();
    }

    UpstreamKey key();

    boolean alive();

    /** From now on what comes is this listener's. */
    void serve(Listener listener, RequestHead request);

    /** Writes the head of the request that is served, with the credential in it. */
    void head(RequestHead outgoing);

    /**
     * Writes a window of content. Takes the bytes over.
     *
     * @param last true when it ends the content
     * @param trailers to follow the end; not empty only where the request was unsized
     * @return done when it has left as far as we can tell; failed when it has not, of which the listener hears too
     */
    Future<Void> window(ByteBuf bytes, boolean last, Fields trailers);

    /**
     * The answer that the listener is being told of is a 101 that it takes: what follows comes to it as content until the connection ends,
     * windows go as they are, and {@link #park} closes.
     */
    default void switchProtocols() {
        throw new IllegalStateException("no upgrade on this version of HTTP");
    }

    /** The listener has room again. */
    void more();

    /** The request is over and the answer whole. @param now monotonic nanoseconds */
    void park(long now);

    /** Ends at once, without a word: what was on its way is not to arrive as if it were whole. */
    void drop();
}
