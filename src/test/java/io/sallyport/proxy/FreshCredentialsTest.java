package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Origin;
import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import io.sallyport.http.Target;
import io.sallyport.ledger.Sha256;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class FreshCredentialsTest {

    private static final String LONG = "a-token-of-some-length";

    private static RequestHead request(String path) {
        return new RequestHead(
                "POST",
                Origin.parse("https://api.up.test").orElseThrow(),
                Target.parse(path).orElseThrow(),
                Fields.EMPTY,
                new Framing.None(),
                false);
    }

    private static List<String> found(int status, String type, String... pieces) {
        FreshCredentials fresh = FreshCredentials.askedForBy(request("/oauth/token"), true);
        fresh.answered(new ResponseHead(status, "", Fields.of("Content-Type", type), new Framing.Chunked(), false));
        for (String piece : pieces) {
            fresh.content(ByteBuffer.wrap(piece.getBytes(UTF_8)));
        }
        return fresh.found().stream()
                .map(found -> found.name() + "=" + (found.sha256() == null ? "-" : found.sha256()))
                .toList();
    }

    private static String hash(String value) {
        return Sha256.of(value.getBytes(UTF_8));
    }

    @Test
    void members_that_are_known_are_found_at_any_depth_however_the_content_is_cut() {
        assertThat(found(
                        200,
                        "application/json; charset=utf-8",
                        "{\"data\":[{\"Access-Token\":\"" + LONG,
                        "\",\"scope\":\"everything-there-is\"}],\"refresh_token\":\"\\u0061-token-of-some-length\"}"))
                .containsExactly("Access-Token=" + hash(LONG), "refresh_token=" + hash(LONG));
    }

    @Test
    void a_form_is_read_too() {
        assertThat(found(
                        201,
                        "application/x-www-form-urlencoded",
                        "scope=all&access_token=a%2Dtoken-of-some-length&x=%zz"))
                .containsExactly("access_token=" + hash(LONG));
    }

    /** From the hash of a short value the value could be told. */
    @Test
    void a_short_value_is_named_without_its_hash() {
        assertThat(found(200, "application/json", "{\"password\":\"hunter2!\"}"))
                .containsExactly("password=-");
    }

    @Test
    void an_answer_in_which_nothing_is_known_is_said_to_be_one() {
        for (String content : List.of("", "<xml/>", "{\"a\":1}", "{\"access_token\":", "[\"" + LONG + "\"]")) {
            assertThat(found(200, "text/plain", content)).as(content).containsExactly("null=-");
        }
    }

    @Test
    void what_was_not_granted_and_what_was_not_asked_for_hands_nothing_out() {
        assertThat(found(401, "application/json", "{\"access_token\":\"" + LONG + "\"}"))
                .isEmpty();
        FreshCredentials other = FreshCredentials.askedForBy(request("/items"), true);
        FreshCredentials own = FreshCredentials.askedForBy(request("/oauth/token"), false);
        for (FreshCredentials fresh : List.of(other, own)) {
            fresh.answered(new ResponseHead(200, "", Fields.EMPTY, new Framing.Chunked(), false));
            fresh.content(ByteBuffer.wrap(("{\"access_token\":\"" + LONG + "\"}").getBytes(UTF_8)));
            assertThat(fresh.found()).isEmpty();
        }
    }

    @Test
    void no_more_than_the_beginning_is_looked_at() {
        String filler = "{\"id_token\":\"" + LONG + "\",\"filler\":\"" + "x".repeat(FreshCredentials.LOOKED_AT);
        assertThat(found(200, "application/json", filler, "\",\"token\":\"" + LONG + "\"}"))
                .containsExactly("id_token=" + hash(LONG));
        StringBuilder many = new StringBuilder("[");
        for (int i = 0; i < 40; i++) {
            many.append("{\"token\":\"" + LONG + "\"},");
        }
        assertThat(found(200, "application/json", many + "0]")).hasSize(FreshCredentials.MOST);
    }
}
