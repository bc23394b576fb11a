package io.sallyport.proxy.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.http.Fields;
import io.sallyport.http.Parsed;
import io.sallyport.testing.Coded;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecoderTest {

    private static final byte[] TEXT =
            "data: {\"delta\": \"hello\"}\n\n".repeat(3000).getBytes(StandardCharsets.US_ASCII);

    private static Codings codings(String list) {
        return ((Parsed.Valid<Codings>) Codings.of(Fields.of("Content-Encoding", list.replace("bare ", "")))).value();
    }

    /** Decodes it in pieces and rooms of these sizes. */
    private static byte[] decoded(Decoder decoder, byte[] coded, int piece, int room) throws CodingFault {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int at = 0; at < coded.length; at += piece) {
            all.writeBytes(next(decoder, ByteBuffer.wrap(coded, at, Math.min(piece, coded.length - at)), room));
        }
        return all.toByteArray();
    }

    private static byte[] next(Decoder decoder, ByteBuffer in, int room) throws CodingFault {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer out = ByteBuffer.allocateDirect(room);
        do {
            out.clear();
            decoder.decode(in, out);
            out.flip();
            byte[] some = new byte[out.remaining()];
            out.get(some);
            all.writeBytes(some);
        } while (out.limit() == room);
        assertThat(in.hasRemaining()).isFalse();
        return all.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "x-gzip", "deflate", "bare deflate", "br", "zstd"})
    void content_comes_out_as_it_went_in_however_it_is_cut(String coding) throws Exception {
        byte[] noise = new byte[200_000];
        new Random(1).nextBytes(noise);
        for (byte[] content : new byte[][] {TEXT, noise, {}}) {
            byte[] coded = Coded.whole(coding, content);
            for (int piece : new int[] {1, 7, 5000, 1 << 20}) {
                for (int room : new int[] {13, 16 * 1024}) {
                    try (Decoder decoder = new Decoder(codings(coding))) {
                        assertThat(decoded(decoder, coded, piece, room)).isEqualTo(content);
                        assertThat(decoder.whole()).isTrue();
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "bare deflate", "br", "zstd"})
    void what_was_flushed_comes_out_before_more_goes_in(String coding) throws Exception {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        try (Decoder decoder = new Decoder(codings(coding));
                OutputStream out = Coded.to(coding, sent)) {
            for (int i = 0; i < 20; i++) {
                String event = "data: " + i + "\n\n";
                out.write(event.getBytes(StandardCharsets.US_ASCII));
                out.flush();
                assertThat(next(decoder, ByteBuffer.wrap(sent.toByteArray()), 4096))
                        .asString(StandardCharsets.US_ASCII)
                        .isEqualTo(event);
                assertThat(decoder.whole()).isFalse();
                sent.reset();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "br", "zstd"})
    void content_that_is_cut_short_anywhere_is_not_whole(String coding) throws Exception {
        byte[] coded = Coded.whole(coding, "a small answer, cut short".getBytes(StandardCharsets.US_ASCII));
        for (int length = 1; length < coded.length; length++) {
            try (Decoder decoder = new Decoder(codings(coding))) {
                decoded(decoder, Arrays.copyOf(coded, length), 5, 100);
                assertThat(decoder.whole())
                        .as("%s, %d of %d", coding, length, coded.length)
                        .isFalse();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "br", "zstd"})
    void what_is_not_of_the_coding_is_a_fault_or_not_whole_and_never_an_answer(String coding) {
        Random random = new Random(2);
        byte[] coded = Coded.whole(coding, TEXT);
        int faults = 0;
        for (int round = 0; round < 300; round++) {
            byte[] wrong = coded.clone();
            wrong[random.nextInt(wrong.length)] ^= (byte) (1 << random.nextInt(8));
            try (Decoder decoder = new Decoder(codings(coding))) {
                decoded(decoder, wrong, 1 + random.nextInt(500), 4096);
                faults += decoder.whole() ? 0 : 1;
            } catch (CodingFault e) {
                faults++;
            }
        }
        // A bit that means nothing may be flipped; and br and zstd, as most send it, have no checksum.
        assertThat(faults).isGreaterThan(coding.equals("gzip") || coding.equals("deflate") ? 250 : 20);
        assertThatThrownBy(() -> decoded(
                        new Decoder(codings(coding)), "\u0006<html>no".getBytes(StandardCharsets.US_ASCII), 3, 100))
                .isInstanceOf(CodingFault.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "br"})
    void what_stands_behind_the_end_is_a_fault(String coding) {
        byte[] coded = Coded.whole(coding, TEXT);
        byte[] more = Arrays.copyOf(coded, coded.length + 3);
        for (int piece : new int[] {1, 1 << 20}) {
            assertThatThrownBy(() -> decoded(new Decoder(codings(coding)), more, piece, 4096))
                    .isInstanceOf(CodingFault.class);
        }
    }

    @Test
    void members_and_frames_may_follow_one_another() throws Exception {
        for (String coding : new String[] {"gzip", "zstd"}) {
            ByteArrayOutputStream two = new ByteArrayOutputStream();
            two.writeBytes(Coded.whole(coding, "one ".getBytes(StandardCharsets.US_ASCII)));
            two.writeBytes(Coded.whole(coding, "two".getBytes(StandardCharsets.US_ASCII)));
            for (int piece : new int[] {1, 1000}) {
                try (Decoder decoder = new Decoder(codings(coding))) {
                    assertThat(decoded(decoder, two.toByteArray(), piece, 3))
                            .asString()
                            .isEqualTo("one two");
                    assertThat(decoder.whole()).isTrue();
                }
            }
        }
    }

    @Test
    void the_parts_of_a_gzip_head_are_skipped() throws Exception {
        byte[] plain = Coded.whole("gzip", TEXT);
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.writeBytes(new byte[] {0x1f, (byte) 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 0, 3, 0, 'x', 0, 'y'});
        head.writeBytes("name\0a remark\0##".getBytes(StandardCharsets.US_ASCII));
        head.write(plain, 10, plain.length - 10);
        for (int piece : new int[] {1, 1000}) {
            try (Decoder decoder = new Decoder(codings("gzip"))) {
                assertThat(decoded(decoder, head.toByteArray(), piece, 4096)).isEqualTo(TEXT);
            }
        }
    }

    @Test
    void codings_upon_codings_are_taken_off_in_their_order() throws Exception {
        byte[] coded = Coded.whole("br", Coded.whole("gzip", Coded.whole("zstd", TEXT)));
        for (int piece : new int[] {1, 100_000}) {
            try (Decoder decoder = new Decoder(codings("zstd, gzip, identity, br"))) {
                assertThat(decoded(decoder, coded, piece, 1000)).isEqualTo(TEXT);
                assertThat(decoder.whole()).isTrue();
            }
        }
        assertThat(Codings.of(Fields.of("Content-Encoding", "gzip, gzip, gzip, gzip")))
                .isInstanceOf(Parsed.Malformed.class);
        assertThat(Codings.of(Fields.of("Content-Encoding", "gzip", "Content-Encoding", "compress")))
                .isInstanceOf(Parsed.Malformed.class);
    }

    @Test
    void little_that_expands_beyond_measure_is_a_fault() {
        byte[] zeros = new byte[64 * 1024 * 1024];
        for (String list : new String[] {"gzip, gzip", "zstd", "br"}) {
            byte[] coded = zeros;
            for (String coding : list.split(", ")) {
                coded = Coded.whole(coding, coded);
            }
            byte[] bomb = coded;
            long[] out = {0};
            assertThatThrownBy(() -> {
                        try (Decoder decoder = new Decoder(codings(list))) {
                            ByteBuffer in = ByteBuffer.wrap(bomb);
                            ByteBuffer room = ByteBuffer.allocateDirect(16 * 1024);
                            do {
                                room.clear();
                                decoder.decode(in, room);
                                out[0] += room.position();
                            } while (room.position() > 0);
                        }
                    })
                    .as(list)
                    .isInstanceOf(CodingFault.class)
                    .hasMessageContaining("expands");
            assertThat(out[0]).isLessThan(Decoder.FREE + 32 * 1024 + (long) Decoder.EXPANSION * bomb.length);
        }
    }
}
