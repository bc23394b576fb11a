package io.sallyport.proxy.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HeadReaderTest {

    @Test
    void a_head_is_found_wherever_it_is_cut() {
        String head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
        for (int cut = 1; cut < head.length(); cut++) {
            HeadReader reader = new HeadReader();
            ByteBuf in = Unpooled.buffer();
            in.writeCharSequence(head.substring(0, cut), StandardCharsets.ISO_8859_1);
            assertThat(reader.read(in)).isInstanceOf(HeadReader.Found.Incomplete.class);
            in.writeCharSequence(head.substring(cut) + "rest", StandardCharsets.ISO_8859_1);
            assertThat(reader.read(in)).isEqualTo(new HeadReader.Found.Complete("GET / HTTP/1.1\r\nHost: a\r\n"));
            assertThat(in.toString(StandardCharsets.ISO_8859_1)).isEqualTo("rest");
        }
    }

    @Test
    void a_bare_line_feed_ends_nothing() {
        assertThat(read("GET / HTTP/1.1\nHost: a\r\n\r\n")).isInstanceOf(HeadReader.Found.Malformed.class);
        assertThat(read("GET / HTTP/1.1\r\nHost: a\n\r\n")).isInstanceOf(HeadReader.Found.Malformed.class);
        assertThat(read("GET / HTTP/1.1\r\nHost: a\r\n\n")).isInstanceOf(HeadReader.Found.Malformed.class);
    }

    @Test
    void one_empty_line_before_a_head_is_let_pass() {
        assertThat(read("\r\nGET / HTTP/1.1\r\n\r\n")).isEqualTo(new HeadReader.Found.Complete("GET / HTTP/1.1\r\n"));
    }

    @Test
    void a_head_is_at_most_64_kib() {
        String field = "A: " + "x".repeat(1000) + "\r\n";
        assertThat(read("GET / HTTP/1.1\r\n" + field.repeat(60) + "\r\n"))
                .isInstanceOf(HeadReader.Found.Complete.class);
        assertThat(read("GET / HTTP/1.1\r\n" + field.repeat(66) + "\r\n"))
                .isInstanceOf(HeadReader.Found.TooLarge.class);
        assertThat(read("GET /" + "x".repeat(70_000))).isInstanceOf(HeadReader.Found.TooLarge.class);
    }

    private static HeadReader.Found read(String text) {
        return new HeadReader().read(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }
}
