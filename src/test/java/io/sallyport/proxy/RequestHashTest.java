package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Origin;
import io.sallyport.http.RequestHead;
import io.sallyport.http.Target;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Other people's verifiers compute the same. */
class RequestHashTest {

    private static final String CONTENT = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    @Test
    void it_is_over_the_documented_lines_and_leaves_out_what_is_sensitive() throws Exception {
        RequestHead head = new RequestHead(
                "POST",
                new Origin("https", "api.example.com", 443),
                Target.parse("/a/b?q=1&r=%C3%A9").orElseThrow(),
                Fields.of(List.of(
                        new Field("Host", "api.example.com"),
                        new Field("X-Trace-ID", "caf\u00e9 Ab: C"),
                        new Field("Authorization", "Bearer s3cret", true),
                        new Field("x-empty", ""))),
                new Framing.None(),
                false);
        assertThat(RequestHash.of(head, CONTENT))
                .isEqualTo(sha256(
                        "POST\n/a/b?q=1&r=%C3%A9\nhost: api.example.com\nx-trace-id: caf\u00e9 Ab: C\nx-empty: \n\n"
                                + CONTENT + "\n"));
    }

    @Test
    void a_request_without_fields_or_query_has_one_too() throws Exception {
        RequestHead head = new RequestHead(
                "GET",
                new Origin("https", "api.example.com", 443),
                Target.parse("/").orElseThrow(),
                Fields.EMPTY,
                new Framing.None(),
                false);
        assertThat(RequestHash.of(head, CONTENT)).isEqualTo(sha256("GET\n/\n\n" + CONTENT + "\n"));
    }

    private static String sha256(String text) throws Exception {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
