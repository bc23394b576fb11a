package io.sallyport.proxy.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentReaderTest {

    @Test
    void chunks_give_their_content_wherever_the_bytes_are_cut() {
        String wire = "5\r\nhello\r\n1;ext=\"a\"\r\n!\r\n0\r\nX-Sum: 1\r\n\r\nnext";
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            ContentReader reader = new ContentReader(new Framing.Chunked());
            ByteBuf in = Unpooled.buffer();
            StringBuilder content = new StringBuilder();
            int at = 0;
            while (at < wire.length()) {
                int end = Math.min(wire.length(), at + 1 + random.nextInt(6));
                in.writeCharSequence(wire.substring(at, end), StandardCharsets.ISO_8859_1);
                at = end;
                for (ByteBuf piece = reader.next(in); piece != null; piece = reader.next(in)) {
                    content.append(piece.toString(StandardCharsets.ISO_8859_1));
                }
            }
            assertThat(content).hasToString("hello!");
            assertThat(reader.ended()).isTrue();
            assertThat(reader.trailers()).isEqualTo(Fields.of("X-Sum", "1"));
            assertThat(in.toString(StandardCharsets.ISO_8859_1)).isEqualTo("next");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x\r\n",
                "-1\r\n",
                "+5\r\nhello\r\n",
                " 5\r\nhello\r\n",
                "5\nhello\r\n",
                "0x5\r\n",
                "\r\n",
                "5 \r\nhello",
                "5\r\nhelloX\r\n",
                "fffffffffffffffff\r\n",
                "0\r\nbad trailer\r\n\r\n",
                "5\r\nhello\n0\r\n\r\n",
                "5\r\r\n"
            })
    void an_odd_spelling_of_chunks_is_malformed(String wire) {
        ContentReader reader = new ContentReader(new Framing.Chunked());
        ByteBuf in = Unpooled.copiedBuffer(wire, StandardCharsets.ISO_8859_1);
        while (reader.next(in) != null) {
            // content before the problem
        }
        assertThat(reader.problem()).isNotNull();
        assertThat(reader.ended()).isFalse();
    }

    @Test
    void a_length_takes_exactly_its_bytes() {
        ContentReader reader = new ContentReader(new Framing.Length(3));
        ByteBuf in = Unpooled.copiedBuffer("abcdef", StandardCharsets.ISO_8859_1);
        assertThat(reader.next(in).toString(StandardCharsets.ISO_8859_1)).isEqualTo("abc");
        assertThat(reader.ended()).isTrue();
        assertThat(reader.next(in)).isNull();
    }
}
