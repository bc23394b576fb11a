package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sallyport.credential.Scrubber;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.ResponseHead;
import io.sallyport.http.WebSocketHandshake;
import io.sallyport.proxy.Admission;
import io.sallyport.proxy.Forwarding;
import io.sallyport.proxy.Trailers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Carries one answer to the agent: fields cut to what crosses a hop, everything scrubbed. */
final class AnswerRelay {

    private final AgentStream agent;
    /** Whether cookies are the agent's own affair: then it may also get some. */
    private final boolean sessions;

    private final Scrubber scrubber;
    private boolean bodiless = true;
    private boolean closed;
    private @Nullable MessageEnds messages;

    AnswerRelay(AgentStream agent, Admission admission) {
        this.agent = agent;
        this.sessions = !admission.credentialed() || admission.scope().keep().contains("cookie");
        this.scrubber = admission.scrubber();
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
        agent.head(scrubbed(head), last);
    }

    private ResponseHead scrubbed(ResponseHead head) {
        return head.with(scrubber.text(head.reason()), scrubbed(head.fields()));
    }

    /** Takes the piece over. @param last true where no more content follows: then nothing of it need be held back */
    void content(ByteBuf piece, boolean last) {
        if (bodiless) {
            piece.release();
        } else {
            try {
                closed = last;
                pass(scrubbed(piece, last));
            } finally {
                piece.release();
            }
        }
    }

    void end(Fields trailers) {
        if (!bodiless && !closed) {
            ByteBuf out = agent.alloc().buffer(64);
            scrub(Unpooled.EMPTY_BUFFER, true, out);
            pass(out);
        }
        agent.end(scrubbed(Trailers.answer(trailers)));
    }

    private void pass(ByteBuf content) {
        if (content.isReadable()) {
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
