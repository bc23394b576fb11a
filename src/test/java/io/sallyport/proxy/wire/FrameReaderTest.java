package io.sallyport.proxy.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sallyport.testing.Frames;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameReaderTest {

    /** RFC 6455 section 5.7, as printed there. */
    @Test
    void the_examples_of_the_rfc_are_read() {
        assertThat(read(false, "810548656c6c6f")).isEqualTo("[81:48656c6c6f]");
        assertThat(read(true, "818537fa213d7f9f4d5158")).isEqualTo("[81:48656c6c6f]");
        assertThat(read(false, "010348656c80026c6f")).isEqualTo("[01:48656c][80:6c6f]");
        assertThat(read(false, "890548656c6c6f")).isEqualTo("(89:48656c6c6f)");
        assertThat(read(true, "8a8537fa213d7f9f4d5158")).isEqualTo("(8a:48656c6c6f)");
        assertThat(read(false, "827e0100" + "ab".repeat(256))).isEqualTo("[82:" + "ab".repeat(256) + "]");
        assertThat(read(false, "827f0000000000010000" + "cd".repeat(65_536)))
                .isEqualTo("[82:" + "cd".repeat(65_536) + "]");
    }

    /** Whatever the pieces, the frames are the same; and whatever the bytes, it neither throws nor goes on after a problem. */
    @Test
    void frames_are_the_same_however_they_are_cut() {
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            boolean masked = random.nextBoolean();
            byte[] all = random.nextInt(4) == 0 ? noise(random) : frames(random, masked);
            Seen whole = new Seen(masked);
            whole.read(all);
            Seen cut = new Seen(masked);
            for (int at = 0; at < all.length; ) {
                int end = Math.min(all.length, at + 1 + random.nextInt(random.nextBoolean() ? 3 : 400));
                cut.read(Arrays.copyOfRange(all, at, end));
                at = end;
            }
            assertThat(cut.text()).as("seed %d", seed).isEqualTo(whole.text());
        }
    }

    @Test
    void masking_twice_gives_back_what_was_there_from_any_place_on() {
        Random random = new Random(3);
        for (int length = 0; length < 70; length++) {
            byte[] plain = new byte[length];
            random.nextBytes(plain);
            int key = random.nextInt();
            long from = random.nextInt(9);
            ByteBuf buffer = Unpooled.wrappedBuffer(plain.clone());
            Mask.apply(buffer, 0, key, from);
            for (int i = 0; i < length; i++) {
                int expected = plain[i] ^ (key >>> 24 - 8 * (int) ((from + i) & 3)) & 0xff;
                assertThat(buffer.getByte(i)).isEqualTo((byte) expected);
            }
            Mask.apply(buffer, 0, key, from);
            assertThat(ByteBufUtil.getBytes(buffer)).isEqualTo(plain);
        }
    }

    private static byte[] frames(Random random, boolean masked) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        boolean within = false;
        for (int i = 0; i < 8; i++) {
            boolean control = random.nextInt(3) == 0;
            byte[] payload = new byte[random.nextInt(control ? 126 : random.nextInt(50) == 0 ? 70_000 : 300)];
            random.nextBytes(payload);
            int first = Frames.PING;
            if (!control) {
                boolean last = random.nextBoolean();
                first = (last ? 0x80 : 0) | (within ? 0 : 1);
                within = !last;
            }
            all.writeBytes(masked ? Frames.masked(first, payload) : Frames.plain(first, payload));
        }
        return all.toByteArray();
    }

    private static byte[] noise(Random random) {
        byte[] noise = new byte[random.nextInt(300)];
        random.nextBytes(noise);
        return noise;
    }

    private static String read(boolean masked, String hex) {
        Seen seen = new Seen(masked);
        seen.read(HexFormat.of().parseHex(hex));
        return seen.text();
    }

    /** What was cut, with the payload unmasked. */
    private static final class Seen implements FrameReader.Sink {
        private final StringBuilder text = new StringBuilder();
        private final FrameReader reader;

        Seen(boolean masked) {
            reader = new FrameReader(masked, this);
        }

        void read(byte[] bytes) {
            if (reader.problem() == null && !reader.closed()) {
                reader.read(ByteBufAllocator.DEFAULT, Unpooled.copiedBuffer(bytes));
            }
        }

        String text() {
            reader.release();
            return text + (reader.problem() == null ? "" : "!" + reader.problem());
        }

        @Override
        public void data(FrameHead head) {
            text.append('[').append(String.format("%02x:", head.first()));
        }

        @Override
        public void payload(FrameHead head, ByteBuf piece, long from, boolean ends) {
            ByteBuf plain = Unpooled.copiedBuffer(piece);
            if (head.key() != null) {
                Mask.apply(plain, 0, head.key(), from);
            }
            text.append(ByteBufUtil.hexDump(plain)).append(ends ? "]" : "");
        }

        @Override
        public void control(FrameHead head, byte[] payload) {
            text.append(String.format("(%02x:", head.first()))
                    .append(HexFormat.of().formatHex(payload))
                    .append(')');
        }
    }
}
