package io.sallyport.proxy.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Parsed;
import io.sallyport.http.RequestHead;
import io.sallyport.proxy.Admission;
import io.sallyport.proxy.Entrance;
import io.sallyport.proxy.Gate;
import io.sallyport.proxy.Passage;
import io.sallyport.proxy.RawHead;
import io.sallyport.proxy.Received;
import io.sallyport.proxy.Reception;
import io.sallyport.proxy.StreamHead;
import io.sallyport.rules.RuleBooks;
import io.sallyport.testing.Door;
import io.sallyport.testing.DoorCase;
import io.sallyport.testing.Fuzzing;
import io.sallyport.testing.HeadCorpus;
import io.sallyport.testing.TestHop;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Whatever comes in: it is refused, or what goes out is one request, and the same one, for a parser that is not ours (Netty's). The whole
 * way is taken but for sockets: head, reception, gate, injection, content, and the bytes that the destination would get. However the bytes
 * are cut, the outcome is the same.
 */
class RequestFuzzTest extends DoorCase {

    private static final int MANY = 64;

    /** What became of what was sent on one connection: requests that left, and why nothing more did. */
    private record Outcome(List<Sent> sent, String end) {}

    /** @param bytes as the destination gets them */
    private record Sent(String requestLine, String bytes) {}

    @Test
    void every_seed_comes_to_the_same_wherever_it_is_cut_in_two() {
        Entrance tunnel = tunnel();
        for (byte[] seed : seeds()) {
            Outcome whole = read(tunnel, List.of(seed));
            assertOneEach(whole);
            for (int cut = 1; cut < seed.length; cut++) {
                List<byte[]> two = List.of(Arrays.copyOf(seed, cut), Arrays.copyOfRange(seed, cut, seed.length));
                assertThat(read(tunnel, two))
                        .as("cut at %d of %s", cut, text(seed))
                        .isEqualTo(whole);
            }
        }
    }

    @Test
    void mutants_of_them_are_refused_or_leave_as_one_request_each() {
        Entrance tunnel = tunnel();
        List<byte[]> seeds = seeds();
        int[] left = {0};
        long tried = Fuzzing.run(seed -> {
            Random random = new Random(seed);
            byte[] mutant = HeadCorpus.mutant(seeds, random);
            Outcome whole = read(tunnel, List.of(mutant));
            assertOneEach(whole);
            left[0] += whole.sent().size();
            assertThat(read(tunnel, cut(mutant, random))).as(text(mutant)).isEqualTo(whole);
        });
        // Of mutants that are all refused nothing is learnt.
        assertThat(left[0]).as("requests that left, of %d", tried).isGreaterThan((int) (tried / 20));
    }

    /** HTTP/2 on the agent's side and HTTP/1 on the other is where smuggling came back. */
    @Test
    void what_comes_in_a_stream_leaves_as_one_request_too() {
        Entrance tunnel = tunnel();
        List<byte[]> seeds = seeds();
        Fuzzing.run(seed -> {
            Random random = new Random(seed);
            List<Field> lines = new ArrayList<>(List.of(
                    new Field(":method", "POST"),
                    new Field(":scheme", "https"),
                    new Field(":authority", authority()),
                    new Field(":path", "/v1/x"),
                    new Field("content-length", "5"),
                    new Field("x-first", "1")));
            for (int i = random.nextInt(4); i >= 0; i--) {
                mutate(lines, seeds, random);
            }
            boolean ended = random.nextBoolean();
            if (StreamHeadReader.request(lines, ended) instanceof Parsed.Valid<StreamHead>(StreamHead head)
                    && reception().receive(head, tunnel) instanceof Received.Inside(RequestHead asked, Grant grant)) {
                if (asked.framing() instanceof Framing.Length(long length) && length > 1_000_000) {
                    return;
                }
                byte[] content = new byte
                        [asked.framing() instanceof Framing.Length(long length)
                                ? (int) length
                                : asked.framing() instanceof Framing.None ? 0 : 7];
                Arrays.fill(content, (byte) 'x');
                admitted(grant, asked, content).ifPresent(sent -> assertOneEach(new Outcome(List.of(sent), "")));
            }
        });
    }

    private static void mutate(List<Field> lines, List<byte[]> seeds, Random random) {
        int at = random.nextInt(lines.size());
        Field line = lines.get(at);
        byte[] odd = HeadCorpus.mutant(seeds, random);
        int from = random.nextInt(odd.length + 1);
        String spark = text(Arrays.copyOfRange(odd, from, Math.min(odd.length, from + random.nextInt(20))));
        int in = random.nextInt(line.value().length() + 1);
        switch (random.nextInt(5)) {
            case 0 -> lines.set(at, new Field(line.name(), line.value().substring(0, in) + spark));
            case 1 -> lines.set(at, new Field(line.name() + spark, line.value()));
            case 2 -> lines.add(at, line);
            case 3 -> lines.add(new Field("transfer-encoding", "chunked"));
            default -> lines.add(new Field("content-length", spark));
        }
    }

    private Entrance tunnel() {
        return new Entrance.Tunnel(
                hop.grant(Door.TUNNEL.scopes("read", "write")),
                "api.up.test",
                hop.origin().port(),
                true,
                "api.up.test");
    }

    private String authority() {
        return Door.TUNNEL.authority(hop);
    }

    private List<byte[]> seeds() {
        return HeadCorpus.seeds(authority());
    }

    private Reception reception() {
        return new Reception(hop.room(RuleBooks.class), hop.room(Grants.class), List.of("localhost"));
    }

    private static List<byte[]> cut(byte[] bytes, Random random) {
        List<byte[]> parts = new ArrayList<>();
        int at = 0;
        while (at < bytes.length) {
            int end = Math.min(bytes.length, at + 1 + random.nextInt(random.nextBoolean() ? 3 : 40));
            parts.add(Arrays.copyOfRange(bytes, at, end));
            at = end;
        }
        return parts;
    }

    private Outcome read(Entrance entrance, List<byte[]> parts) {
        Reading reading = new Reading(entrance);
        for (byte[] part : parts) {
            reading.arrived(part);
        }
        return reading.outcome();
    }

    /** A connection as {@link MessageHandler} and {@link Http1AgentHandler} read it. */
    private final class Reading {
        private final Entrance entrance;
        private final HeadReader heads = new HeadReader();
        private final ByteBuf in = Unpooled.buffer();
        private final List<Sent> sent = new ArrayList<>();
        private String end = "";
        private RequestHead asked;
        private Grant grant;
        private ContentReader reader;
        private ByteArrayOutputStream content;

        Reading(Entrance entrance) {
            this.entrance = entrance;
        }

        void arrived(byte[] part) {
            in.writeBytes(part);
            while (end.isEmpty() && sent.size() < MANY && (reader == null ? head() : content())) {
                // goes on
            }
        }

        private boolean head() {
            return switch (heads.read(in)) {
                case HeadReader.Found.Incomplete ignored -> false;
                case HeadReader.Found.TooLarge(String what) -> ends(what);
                case HeadReader.Found.Malformed(String reason) -> ends(reason);
                case HeadReader.Found.Complete(String text) ->
                    switch (HeadParser.request(text)) {
                        case Parsed.Malformed<RawHead>(String reason) -> ends(reason);
                        case Parsed.Valid<RawHead>(RawHead raw) ->
                            switch (reception().receive(raw, entrance)) {
                                case Received.Inside(RequestHead head, Grant known) -> begin(head, known);
                                case Received.Malformed(var refusal, Grant ignored) -> ends(refusal.reason());
                                case Received other -> ends(other.getClass().getSimpleName());
                            };
                    };
            };
        }

        private boolean begin(RequestHead head, Grant known) {
            asked = head;
            grant = known;
            reader = new ContentReader(head.framing());
            content = new ByteArrayOutputStream();
            return true;
        }

        private boolean content() {
            ByteBuf piece = reader.next(in);
            if (piece != null) {
                content.writeBytes(ByteBufUtil.getBytes(piece));
                piece.release();
                return true;
            }
            if (reader.problem() != null) {
                return ends(reader.problem());
            }
            if (!reader.ended()) {
                return false;
            }
            boolean trailers = reader.trailers().size() > 0;
            reader = null;
            if (!trailers) {
                admitted(grant, asked, content.toByteArray()).ifPresent(sent::add);
            }
            return true;
        }

        private boolean ends(String why) {
            end = why;
            return false;
        }

        Outcome outcome() {
            in.release();
            return new Outcome(List.copyOf(sent), end);
        }
    }

    /** What the destination would get; empty where the gate says no. */
    private java.util.Optional<Sent> admitted(Grant grant, RequestHead asked, byte[] content) {
        Passage passage = hop.room(Gate.class)
                .admit(grant, asked, null, why -> {})
                .toCompletableFuture()
                .join();
        if (!(passage instanceof Passage.Admitted(Admission admission))) {
            return java.util.Optional.empty();
        }
        try {
            ByteBufAllocator alloc = ByteBufAllocator.DEFAULT;
            ByteBuf out = Unpooled.buffer();
            RequestHead outgoing = admission.outgoing();
            moved(out, HeadWriter.request(alloc, outgoing));
            if (outgoing.framing() instanceof Framing.Chunked) {
                if (content.length > 0) {
                    moved(out, HeadWriter.chunk(alloc, Unpooled.wrappedBuffer(content)));
                }
                moved(out, HeadWriter.lastChunk(alloc, Fields.EMPTY));
            } else {
                out.writeBytes(content);
            }
            String line = outgoing.method() + " " + outgoing.target().text() + " " + text(content);
            return java.util.Optional.of(new Sent(line, out.toString(ISO_8859_1)));
        } finally {
            admission.close();
        }
    }

    private static void moved(ByteBuf to, ByteBuf from) {
        to.writeBytes(from);
        from.release();
    }

    /** Netty's decoder finds exactly the one request that was judged in what goes out for it. */
    private void assertOneEach(Outcome outcome) {
        for (Sent sent : outcome.sent()) {
            EmbeddedChannel other = new EmbeddedChannel(new HttpRequestDecoder());
            other.writeInbound(Unpooled.copiedBuffer(sent.bytes(), ISO_8859_1));
            List<HttpRequest> requests = new ArrayList<>();
            StringBuilder content = new StringBuilder();
            int ends = 0;
            for (Object part = other.readInbound(); part != null; part = other.readInbound()) {
                if (part instanceof HttpRequest request) {
                    assertThat(request.decoderResult().isSuccess())
                            .as(sent.bytes())
                            .isTrue();
                    requests.add(request);
                }
                if (part instanceof HttpContent piece) {
                    assertThat(piece.decoderResult().isSuccess())
                            .as(sent.bytes())
                            .isTrue();
                    content.append(piece.content().toString(ISO_8859_1));
                    piece.release();
                }
                ends += part instanceof LastHttpContent ? 1 : 0;
            }
            other.finishAndReleaseAll();
            assertThat(requests).as(sent.bytes()).hasSize(1);
            assertThat(ends).as(sent.bytes()).isEqualTo(1);
            HttpRequest request = requests.getFirst();
            assertThat(request.method().name() + " " + request.uri() + " " + content)
                    .isEqualTo(sent.requestLine());
            assertThat(request.headers().getAll("Host")).as(sent.bytes()).containsExactly(authority());
            assertThat(request.headers().getAll("Authorization"))
                    .as(sent.bytes())
                    .containsExactly("Bearer " + TestHop.SECRET);
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, ISO_8859_1);
    }
}
