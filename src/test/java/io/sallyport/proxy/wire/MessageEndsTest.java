package io.sallyport.proxy.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageEndsTest {

    private static final String ONE = "\0\0\0\0\3one";

    @Test
    void each_message_ends_where_its_length_says() {
        assertThat(parts(ONE + "\1\0\0\0\0" + "\u0080\0\0\0\1x" + ONE))
                .containsExactly(ONE + "|", "\1\0\0\0\0|", "\u0080\0\0\0\1x|", ONE + "|");
    }

    @Test
    void a_message_in_pieces_ends_with_its_last() {
        assertThat(parts("\0\0", "\0\0\3o", "ne\0")).containsExactly("\0\0", "\0\0\3o", "ne|", "\0");
    }

    /** Else whoever has content of their choice called gRPC could have a secret in it end a message in its midst. */
    @Test
    void behind_a_head_that_is_none_nothing_ends() {
        assertThat(parts("{\"a\":1}", ONE, ONE)).containsExactly("{\"a\":1}", ONE, ONE);
        assertThat(parts(ONE + "se", "cret" + ONE)).containsExactly(ONE + "|", "se", "cret" + ONE);
        assertThat(parts("\2\0\0\0\0", ONE)).containsExactly("\2\0\0\0\0", ONE);
    }

    /** The parts that the pieces are cut into; those that end a message with a bar. */
    private static List<String> parts(String... pieces) {
        MessageEnds ends = new MessageEnds();
        List<String> parts = new ArrayList<>();
        for (String piece : pieces) {
            ByteBuf bytes = Unpooled.copiedBuffer(piece, ISO_8859_1);
            while (bytes.isReadable()) {
                String part = ends.next(bytes).toString(ISO_8859_1);
                parts.add(ends.ended() ? part + "|" : part);
            }
        }
        return parts;
    }
}
