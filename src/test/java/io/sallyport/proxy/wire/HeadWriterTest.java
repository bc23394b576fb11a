package io.sallyport.proxy.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadWriterTest {

    @ParameterizedTest
    @ValueSource(chars = {'\r', '\n', '\0', '\u0100', '\u560a'})
    void no_character_becomes_a_line_end_or_another(char c) {
        for (Fields fields : new Fields[] {Fields.of("X-A", "a" + c + "b"), Fields.of("X-" + c, "b")}) {
            assertThatThrownBy(() -> written(200, "", fields)).isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(() -> written(200, "O" + c, Fields.EMPTY)).isInstanceOf(IllegalStateException.class);
        assertThat(written(200, "OK", Fields.of("X-A", "b"))).isEqualTo("HTTP/1.1 200 OK\r\nX-A: b\r\n\r\n");
    }

    @Test
    void a_head_beyond_the_kept_size_is_whole_and_the_next_one_is_its_own() {
        String value = "\u00e9".repeat(50_000);

        assertThat(written(404, "No", Fields.of("X-Long", value)))
                .isEqualTo("HTTP/1.1 404 No\r\nX-Long: " + value + "\r\n\r\n");
        assertThat(written(204, "", Fields.EMPTY)).isEqualTo("HTTP/1.1 204 \r\n\r\n");
    }

    private static String written(int status, String reason, Fields fields) {
        ByteBuf out = HeadWriter.answer(
                UnpooledByteBufAllocator.DEFAULT, status, reason, fields, new Framing.UntilClose(), "");
        try {
            return out.toString(StandardCharsets.ISO_8859_1);
        } finally {
            out.release();
        }
    }
}
