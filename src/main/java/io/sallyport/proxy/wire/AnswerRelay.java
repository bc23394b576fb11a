package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.sallyport.credential.Scrubber;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.ResponseHead;
import io.sallyport.proxy.Admission;
import io.sallyport.proxy.Forwarding;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Carries one answer to the agent: fields cut to what crosses a hop, everything scrubbed, framed as the agent's version can read it. */
final class AnswerRelay {

    /** A trailer that would change how the message is read, had it been a field, is not passed on. */
    private static final Set<String> NO_TRAILERS = Set.of(
            "transfer-encoding", "content-length", "host", "content-encoding", "trailer", "connection", "alt-svc");

    private final Channel agent;
    private final boolean http10;
    private final boolean scrubbing;

    /** Whether cookies are the agent's own affair: then it may also get some. */
    private final boolean sessions;

    private final Scrubber scrubber;
    private Framing framing = new Framing.None();

    AnswerRelay(Channel agent, boolean http10, Admission admission) {
        this.agent = agent;
        this.http10 = http10;
        this.scrubbing = admission.credentialed();
        this.sessions = !admission.credentialed() || admission.scope().keep().contains("cookie");
        this.scrubber = admission.scrubber();
    }

    /** An HTTP/1.0 peer knows no interim answers. */
    void interim(ResponseHead head) {
        if (!http10) {
            agent.writeAndFlush(HeadWriter.answer(
                    agent.alloc(), head.status(), text(head.reason()), scrubbed(head.fields()), head.framing(), ""));
        }
    }

    /** @return how the agent's connection goes on: an answer that only the connection's end delimits ends it */
    Persistence head(ResponseHead head, Persistence wanted) {
        framing = switch (head.framing()) {
            case Framing.None none -> none;
            // Masking keeps lengths, so the length that was promised still holds.
            case Framing.Length length -> length;
            case Framing.Chunked ignored -> unsized();
            case Framing.UntilClose ignored -> unsized();
        };
        Persistence then = wanted.orClose(framing instanceof Framing.UntilClose);
        agent.write(HeadWriter.answer(
                agent.alloc(), head.status(), text(head.reason()), scrubbed(head.fields()), framing, then.field()));
        return then;
    }

    /** Takes the piece over. */
    void content(ByteBuf piece) {
        if (framing instanceof Framing.None) {
            piece.release();
        } else if (scrubbing) {
            try {
                pass(scrubbed(piece, false));
            } finally {
                piece.release();
            }
        } else {
            pass(piece);
        }
    }

    void end(Fields trailers) {
        if (scrubbing && !(framing instanceof Framing.None)) {
            pass(scrubbed(Unpooled.EMPTY_BUFFER, true));
        }
        if (framing instanceof Framing.Chunked) {
            Fields passed = Forwarding.answer(trailers)
                    .without(line -> NO_TRAILERS.contains(line.name().toLowerCase(java.util.Locale.ROOT)));
            agent.write(HeadWriter.lastChunk(agent.alloc(), scrubbed(passed)));
        }
    }

    private Framing unsized() {
        return http10 ? new Framing.UntilClose() : new Framing.Chunked();
    }

    private void pass(ByteBuf content) {
        if (!content.isReadable()) {
            content.release();
        } else if (framing instanceof Framing.Chunked) {
            agent.write(HeadWriter.chunk(agent.alloc(), content));
        } else {
            agent.write(content);
        }
    }

    private ByteBuf scrubbed(ByteBuf piece, boolean last) {
        // What the scrubber returns is its own until the next call, so it is copied for the way out.
        ByteBuf out = agent.alloc().buffer(piece.readableBytes() + 64);
        ByteBuffer[] parts = piece.isReadable() ? piece.nioBuffers() : new ByteBuffer[] {ByteBuffer.allocate(0)};
        for (int i = 0; i < parts.length; i++) {
            out.writeBytes(scrubber.push(parts[i], last && i == parts.length - 1));
        }
        return out;
    }

    private Fields scrubbed(Fields fields) {
        Fields passed = Forwarding.answer(fields);
        if (!scrubbing) {
            return passed;
        }
        List<Field> lines = new ArrayList<>(passed.size());
        for (Field line : sessions ? passed : Forwarding.withoutSession(passed)) {
            // The mark is a character of names too.
            lines.add(new Field(scrubber.text(line.name()), scrubber.text(line.value())));
        }
        return Fields.of(lines);
    }

    private String text(String reason) {
        return scrubbing ? scrubber.text(reason) : reason;
    }
}
