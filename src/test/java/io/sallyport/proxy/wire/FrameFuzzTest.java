package io.sallyport.proxy.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sallyport.grant.Grant;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Origin;
import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import io.sallyport.http.Target;
import io.sallyport.proxy.Admission;
import io.sallyport.proxy.Gate;
import io.sallyport.proxy.Passage;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RequestHash;
import io.sallyport.proxy.Window;
import io.sallyport.proxy.flow.Command.Gathering;
import io.sallyport.testing.Door;
import io.sallyport.testing.DoorCase;
import io.sallyport.testing.FrameCorpus;
import io.sallyport.testing.Fuzzing;
import io.sallyport.testing.Http2Corpus;
import io.sallyport.testing.Quiet;
import io.sallyport.testing.TestHop;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * WebSocket frames in every shape, right and wrong, in both directions, without sockets: what goes on is read by a reader that is not ours.
 * However the bytes are cut, it comes to the same; what leaves is what is recorded; the secret never arrives.
 *
 * <p>Found when they were planted: a mask that begins anew with each piece of a frame; a scrubber that takes a frame for a message; a control
 * frame that is taken for whole one byte too early.
 */
class FrameFuzzTest extends DoorCase {

    private static final EventLoop LOOP = new EmbeddedChannel().eventLoop();
    private static final String[] WORDS = {"a", "bc", "{\"id\":1}", "\u00e4\u00f6", "0123456789", TestHop.SECRET};

    private final Grant grant = hop.grant(Door.TUNNEL.scopes("read"));

    /** @param whole frames that went on @param rest payload of one that is not whole yet @param problem null for none */
    private record Outcome(
            List<String> whole, String rest, @Nullable String problem) {}

    /** Reads what went on; a head never goes in part. */
    private static Outcome outcome(byte[] out, boolean masked, @Nullable String problem) {
        List<String> whole = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(out);
        while (in.hasRemaining()) {
            int first = in.get() & 0xff;
            int second = in.get() & 0xff;
            assertThat(second >= 0x80).isEqualTo(masked);
            int low = second & 0x7f;
            long length = low == 126 ? in.getShort() & 0xffff : low == 127 ? in.getLong() : low;
            byte[] key = new byte[4];
            if (masked) {
                in.get(key);
            }
            byte[] payload = new byte[(int) Math.min(length, in.remaining())];
            in.get(payload);
            for (int i = 0; i < payload.length; i++) {
                payload[i] ^= key[i % 4];
            }
            String frame = first + ":" + new String(payload, ISO_8859_1);
            if (payload.length < length) {
                return new Outcome(whole, frame, problem);
            }
            whole.add(frame);
        }
        return new Outcome(whole, "", problem);
    }

    private static byte[] seeded(boolean masked, Random random) {
        byte[] right = FrameCorpus.frames(masked, WORDS, random);
        return random.nextInt(3) == 0 ? right : FrameCorpus.mutant(right, random);
    }

    @Test
    void what_an_agent_says_leaves_as_it_is_recorded_however_it_is_cut() {
        int[] left = {0};
        try (Quiet quiet = new Quiet()) {
            long tried = Fuzzing.run(seed -> {
                Random random = new Random(seed);
                byte[] bytes = seeded(true, random);
                Outcome whole = said(List.of(bytes));
                left[0] += whole.whole().size();
                assertThat(said(Http2Corpus.cut(bytes, random))).isEqualTo(whole);
            });
            assertThat(left[0]).isGreaterThan((int) tried);
            quiet.asserts();
        }
    }

    private Outcome said(List<byte[]> pieces) {
        Recorded recorded = new Recorded();
        AgentFrames frames = new AgentFrames(recorded.gatherer, ByteBufAllocator.DEFAULT, () -> 0);
        recorded.gatherer.ask(Gathering.EAGER);
        String problem = null;
        for (byte[] piece : pieces) {
            if (problem == null) {
                problem = frames.read(Unpooled.copiedBuffer(piece));
                recorded.gatherer.pause();
            }
        }
        frames.release();
        recorded.gatherer.stop();
        Outcome outcome = outcome(recorded.out.toByteArray(), true, problem);
        StringBuilder payload = new StringBuilder();
        outcome.whole().forEach(frame -> payload.append(frame.substring(frame.indexOf(':') + 1)));
        payload.append(outcome.rest().substring(outcome.rest().indexOf(':') + 1));
        byte[] content = payload.toString().getBytes(ISO_8859_1);
        assertThat(recorded.length).isEqualTo(content.length);
        assertThat(recorded.sha256).isEqualTo(sha256(content));
        return outcome;
    }

    private static String sha256(byte[] content) {
        return HexFormat.of().formatHex(RequestHash.sha256().digest(content));
    }

    /** A ledger that is always ready. */
    private final class Recorded implements ContentGatherer.Listener {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final ContentGatherer gatherer =
                new ContentGatherer(LOOP, Duration.ZERO, hop.room(Gate.class).marks(), this);
        private long length;
        private String sha256 = sha256(new byte[0]);

        @Override
        public void closed(Window window, ByteBuf bytes) {
            assertThat(window.offset()).isEqualTo(length);
            length += window.length();
            sha256 = window.prefixSha256();
            out.writeBytes(ByteBufUtil.getBytes(bytes));
            bytes.release();
            if (!window.last()) {
                gatherer.ask(Gathering.EAGER);
            }
        }

        @Override
        public void tokenSeen() {
            throw new AssertionError("there is none");
        }

        @Override
        public void placeholderSeen() {
            throw new AssertionError("there is none");
        }

        @Override
        public void noRoom() {
            throw new AssertionError("nothing is gathered whole");
        }

        @Override
        public void tooLarge() {
            throw new AssertionError("there is no limit");
        }
    }

    @Test
    void what_a_destination_says_arrives_without_the_secret_however_it_is_cut() {
        int[] arrived = {0};
        try (Quiet quiet = new Quiet()) {
            long tried = Fuzzing.run(seed -> {
                Random random = new Random(seed);
                byte[] bytes = seeded(false, random);
                Outcome whole = heard(List.of(bytes));
                arrived[0] += whole.whole().size();
                Outcome cut = heard(Http2Corpus.cut(bytes, random));
                assertThat(messages(cut)).isEqualTo(messages(whole));
                assertTellsNothing(whole);
                assertTellsNothing(cut);
            });
            assertThat(arrived[0]).isGreaterThan((int) tried);
            quiet.asserts();
        }
    }

    /** A message in several frames is cut anew, by what may go on when: what counts is what is whole, and in which order. */
    private static Outcome messages(Outcome outcome) {
        List<String> messages = new ArrayList<>();
        StringBuilder payload = new StringBuilder();
        int opcode = 0;
        for (String frame : outcome.whole()) {
            int first = Integer.parseInt(frame.substring(0, frame.indexOf(':')));
            if ((first & 8) != 0) {
                messages.add(frame);
                continue;
            }
            opcode = (first & 0x0f) == 0 ? opcode : first & 0x0f;
            payload.append(frame, frame.indexOf(':') + 1, frame.length());
            if ((first & 0x80) != 0) {
                messages.add(opcode + ":" + payload);
                payload.setLength(0);
            }
        }
        return new Outcome(messages, "", outcome.problem());
    }

    /** In no message, whatever frames it comes in. */
    private static void assertTellsNothing(Outcome outcome) {
        StringBuilder message = new StringBuilder();
        List<String> frames = new ArrayList<>(outcome.whole());
        frames.add(outcome.rest());
        for (String frame : frames) {
            int colon = frame.indexOf(':');
            int first = colon < 0 ? 0 : Integer.parseInt(frame.substring(0, colon));
            String payload = frame.substring(colon + 1);
            assertThat(payload).doesNotContain(TestHop.SECRET);
            if ((first & 8) == 0) {
                message.append(payload);
                assertThat(message).doesNotContain(TestHop.SECRET);
            }
            if ((first & 0x88) == 0x80) {
                message.setLength(0);
            }
        }
    }

    private Outcome heard(List<byte[]> pieces) {
        Admission admission = admitted();
        try {
            Hearing agent = new Hearing();
            OriginFrames frames = new OriginFrames(agent, admission);
            String problem = null;
            for (byte[] piece : pieces) {
                if (problem == null) {
                    problem = frames.read(Unpooled.copiedBuffer(piece));
                }
            }
            frames.release();
            return outcome(agent.heard.toByteArray(), false, problem);
        } finally {
            admission.close();
        }
    }

    /** With the scrubber of a request that carries the secret. */
    private Admission admitted() {
        String authority = Door.TUNNEL.authority(hop);
        RequestHead head = new RequestHead(
                "GET",
                Origin.parse("https://" + authority).orElseThrow(),
                Target.parse("/v1/x").orElseThrow(),
                Fields.of("Host", authority),
                new Framing.None(),
                false);
        Passage passage = hop.room(Gate.class)
                .admit(grant, head, null, why -> {})
                .toCompletableFuture()
                .join();
        return ((Passage.Admitted) passage).admission();
    }

    /** An agent that takes all that comes. */
    private static final class Hearing implements AgentStream {
        private final ByteArrayOutputStream heard = new ByteArrayOutputStream();

        @Override
        public EventLoop loop() {
            return LOOP;
        }

        @Override
        public ByteBufAllocator alloc() {
            return ByteBufAllocator.DEFAULT;
        }

        @Override
        public boolean writable() {
            return true;
        }

        @Override
        public void content(ByteBuf piece) {
            heard.writeBytes(ByteBufUtil.getBytes(piece));
            piece.release();
        }

        @Override
        public void readContent() {}

        @Override
        public void more() {}

        @Override
        public void interim(ResponseHead head) {}

        @Override
        public void head(ResponseHead head, boolean last) {}

        @Override
        public void end(Fields trailers) {}

        @Override
        public void flush() {}

        @Override
        public void finish() {}

        @Override
        public void refuse(Refusal refusal) {}

        @Override
        public void reset() {}
    }
}
