package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sallyport.credential.Scrubber;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Parsed;
import io.sallyport.http.ResponseHead;
import io.sallyport.http.WebSocketHandshake;
import io.sallyport.proxy.Admission;
import io.sallyport.proxy.Forwarding;
import io.sallyport.proxy.FreshCredentials;
import io.sallyport.proxy.Trailers;
import io.sallyport.proxy.coding.CodingFault;
import io.sallyport.proxy.coding.Codings;
import io.sallyport.proxy.coding.DecodedHead;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries one answer to the agent: fields cut to what crosses a hop, everything scrubbed. Content of a request with a credential is decoded
 * first; it may wait for the agent to take what came before, so that an answer can end after its last byte has come.
 */
final class AnswerRelay {

    /** How many pieces are decoded at a stretch: others wait for this thread. */
    private static final int STRETCH = 64;

    private final AgentStream agent;
    /** Whether cookies are the agent's own affair: then it may also get some. */
    private final boolean sessions;

    private final boolean credentialed;

    private final Scrubber scrubber;
    private final FreshCredentials fresh;
    private boolean bodiless = true;
    private boolean closed;
    private boolean done;
    private boolean pumping;
    private boolean waits;
    private @Nullable MessageEnds messages;
    private @Nullable CodedContent coded;
    private @Nullable Fields trailers;

    AnswerRelay(AgentStream agent, Admission admission) {
        this.agent = agent;
        this.credentialed = admission.credentialed();
        this.sessions = !admission.credentialed() || admission.scope().keep().contains("cookie");
        this.scrubber = admission.scrubber();
        this.fresh = admission.fresh();
    }

    void interim(ResponseHead head) {
        agent.interim(scrubbed(head));
    }

    /** @param handshake that it answers with 101 */
    void switchProtocols(ResponseHead head, WebSocketHandshake handshake) {
        ResponseHead passed = scrubbed(head);
        agent.switchProtocols(passed.with(passed.reason(), handshake.answer(passed.fields())));
    }

    /** @param last true when the request is not wholly sent yet */
    void head(ResponseHead head, boolean last) {
        bodiless = head.framing() instanceof Framing.None;
        messages = MessageEnds.in(head.fields()) ? new MessageEnds() : null;
        fresh.answered(head);
        agent.head(scrubbed(credentialed ? decoded(head) : head), last);
    }

    private ResponseHead decoded(ResponseHead head) {
        if (head.status() == 304) {
            return DecodedHead.ofNotModified(head);
        }
        // What can't be decoded was refused, but where there is no content.
        if (!(Codings.of(head.fields()) instanceof Parsed.Valid<Codings>(Codings codings)) || codings.none()) {
            return head;
        }
        if (!bodiless) {
            coded = new CodedContent(codings);
        }
        return DecodedHead.of(head);
    }

    private ResponseHead scrubbed(ResponseHead head) {
        return head.with(scrubber.text(head.reason()), scrubbed(head.fields()));
    }

    /**
     * Takes the piece over.
     *
     * @param last true where no more content follows: then nothing of it need be held back
     * @return what is wrong with the content; null for nothing
     */
    @Nullable
    String content(ByteBuf piece, boolean last) {
        if (bodiless) {
            piece.release();
        } else if (coded != null) {
            coded.add(piece);
            return more();
        } else {
            try {
                closed = last;
                pass(scrubbed(piece, last));
            } finally {
                piece.release();
            }
        }
        return null;
    }

    /** The agent has room again. @return what is wrong with the content; null for nothing */
    @Nullable
    String more() {
        CodedContent from = coded;
        if (from == null || pumping || done) {
            return null;
        }
        pumping = true;
        try {
            waits = !pump(from);
            if (!waits && trailers != null) {
                if (!from.whole()) {
                    return "the compressed content ends before it is whole";
                }
                finish(DecodedHead.trailers(trailers));
            }
            return null;
        } catch (CodingFault fault) {
            return fault.getMessage();
        } finally {
            pumping = false;
        }
    }

    /** @return whether all that came has gone */
    private boolean pump(CodedContent from) throws CodingFault {
        for (int piece = 0; piece < STRETCH; piece++) {
            if (!agent.writable()) {
                agent.flush();
            }
            if (!agent.writable()) {
                return false;
            }
            ByteBuf plain = from.next(agent.alloc());
            if (plain == null) {
                return true;
            }
            try {
                pass(scrubbed(plain, false));
            } finally {
                plain.release();
            }
        }
        return false;
    }

    /** Whether content that came waits, for the agent to take what came before, or for its turn. */
    boolean waits() {
        return waits;
    }

    /** Whether the agent has the answer's end. */
    boolean done() {
        return done;
    }

    /** Lets go of what waits. Idempotent. */
    void release() {
        if (coded != null) {
            coded.release();
        }
        done = true;
    }

    /** No more comes. @return what is wrong with the content; null for nothing */
    @Nullable
    String end(Fields last) {
        if (coded == null) {
            finish(last);
            return null;
        }
        trailers = last;
        return more();
    }

    private void finish(Fields last) {
        done = true;
        if (!bodiless && !closed) {
            ByteBuf out = agent.alloc().buffer(64);
            scrub(Unpooled.EMPTY_BUFFER, true, out);
            pass(out);
        }
        agent.end(scrubbed(Trailers.answer(last)));
    }

    private void pass(ByteBuf content) {
        if (content.isReadable()) {
            fresh.content(content.nioBuffer());
            agent.content(content);
        } else {
            content.release();
        }
    }

    private ByteBuf scrubbed(ByteBuf piece, boolean last) {
        // What the scrubber returns is its own until the next call, so it is copied for the way out.
        ByteBuf out = agent.alloc().buffer(piece.readableBytes() + 64);
        if (messages == null) {
            scrub(piece, last, out);
        } else {
            while (piece.isReadable()) {
                ByteBuf part = messages.next(piece);
                scrub(part, messages.ended() || (last && !piece.isReadable()), out);
            }
        }
        return out;
    }

    private void scrub(ByteBuf piece, boolean last, ByteBuf out) {
        ByteBuffer[] parts = piece.isReadable() ? piece.nioBuffers() : new ByteBuffer[] {ByteBuffer.allocate(0)};
        for (int i = 0; i < parts.length; i++) {
            out.writeBytes(scrubber.push(parts[i], last && i == parts.length - 1));
        }
    }

    private Fields scrubbed(Fields fields) {
        Fields passed = Forwarding.answer(fields);
        List<Field> lines = new ArrayList<>(passed.size());
        for (Field line : sessions ? passed : Forwarding.withoutSession(passed)) {
            // The mark is a character of names too.
            lines.add(new Field(scrubber.text(line.name()), scrubber.text(line.value())));
        }
        return Fields.of(lines);
    }
}
