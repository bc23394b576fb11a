package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Ask;
import io.sallyport.testing.Door;
import io.sallyport.testing.EveryDoor;
import io.sallyport.testing.InjectionCase;
import io.sallyport.testing.Reply;
import io.sallyport.testing.TestHop;
import java.util.Base64;

/** A client that insists on holding a key holds a placeholder: RW-25. */
class PlaceholderTest extends InjectionCase {

    private static final String PH = "ph_0123456789-placeholder";
    private static final String ESCAPED = "sk-live-Ab%2FCd%2BEf%3DGh%26Ij%22Kl%3CMn%3E7890qrSTuvWX";
    private static final String FORM = "Content-Type: application/x-www-form-urlencoded";
    private static final String JSON = "Content-Type: application/json";

    private void place(String in) {
        inject("{kind: placeholder, value: " + PH + ", in: " + in + "}");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(bytes(text));
    }

    private void passes(Door door, Ask ask) {
        Reply reply = ask(door, ask);
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        assertThat(entry("used")).contains("\"credentials\":[\"up\"]").doesNotContain("sk-live");
        assertThat(entry("outcome")).contains("\"injected\":[\"up\"]");
    }

    private void refused(Door door, Ask ask) {
        Reply reply = ask(door, ask);
        assertThat(reply.status()).as(ask + " " + reply).isEqualTo(403);
        assertThat(reply.text()).contains("placeholder_misplaced");
        assertThat(door.origin(hop).received()).isEmpty();
    }

    @EveryDoor
    void each_place_carries_the_secret_in_its_own_encoding(Door door) {
        place("{kind: header, name: X-Key}");
        passes(door, Ask.of("GET /v1/x", "X-Key: " + PH));
        assertThat(seen(door).field("X-Key")).containsExactly(TestHop.SECRET);

        place("{kind: query, name: key}");
        passes(door, Ask.of("GET /v1/x?key=" + PH + "&q=1"));
        assertThat(seen(door).target()).isEqualTo("/v1/x?q=1&key=" + ESCAPED);

        place("{kind: path, template: \"/v1/bot{secret}/**\"}");
        passes(door, Ask.of("GET /v1/bot" + PH + "/getMe"));
        assertThat(seen(door).target()).startsWith("/v1/botsk-live-Ab%2FCd+Ef=Gh&Ij%22Kl%3CMn%3E");
        assertThat(entry("used")).contains("/v1/bot***/getMe").doesNotContain(PH);

        place("{kind: form, name: token}");
        passes(door, Ask.of("POST /v1/x", FORM).content(bytes("token=" + PH + "&a=1")));
        assertThat(seen(door).text()).isEqualTo("a=1&token=" + ESCAPED);

        place("{kind: json, pointer: /token}");
        passes(door, Ask.of("POST /v1/x", JSON).content(bytes("{\"token\":\"" + PH + "\"}")));
        assertThat(seen(door).text()).isEqualTo("{\"token\":\"" + TestHop.SECRET.replace("\"", "\\\"") + "\"}");
    }

    /** At the gateway the task token stands in the place of the key, but for one that a placeholder has. */
    @EveryDoor
    void in_basic_the_password_is_swapped_and_the_user_name_stays(Door door) {
        place("{kind: basic}");
        passes(door, Ask.of("GET /v1/x", "Authorization: Basic " + base64("x:" + PH)));
        assertThat(seen(door).field("Authorization")).containsExactly("Basic " + base64("x:" + TestHop.SECRET));
    }

    @EveryDoor
    void anywhere_else_it_is_refused_and_never_forwarded(Door door) {
        place("{kind: header, name: X-Key}");
        refused(door, Ask.of("GET /v1/x", "X-Key: " + PH, "X-Key: " + PH));
        refused(door, Ask.of("GET /v1/x", "X-Key: Bearer " + PH));
        refused(door, Ask.of("GET /v1/x", "X-Key: " + PH, "X-Note: see " + PH));
        refused(door, Ask.of("GET /v1/x", "X-Note: " + base64("x:" + PH)));
        refused(door, Ask.of("GET /v1/x?key=" + PH));
        refused(door, Ask.of("GET /v1/x?key=" + PH.replace("_", "%5F")));
        refused(door, Ask.of("GET /v1/" + PH + "/x"));
        refused(door, Ask.of("POST /v1/x", JSON, "X-Key: " + PH).content(bytes("{\"note\":\"" + PH + "\"}")));
        refused(door, Ask.of("POST /v1/x", "X-Key: " + PH).unsized(bytes(base64("x:" + PH))));

        place("{kind: json, pointer: /token}");
        refused(door, Ask.of("POST /v1/x", JSON).content(bytes("{\"note\":\"" + PH + "\"}")));
        refused(door, Ask.of("POST /v1/x", JSON).content(bytes("{\"token\":\"" + PH + "\",\"note\":\"" + PH + "\"}")));
        refused(door, Ask.of("POST /v1/x", JSON).content(bytes("{\"token\":\"Bearer " + PH + "\"}")));
        refused(door, Ask.of("POST /v1/x", "Content-Type: text/plain").content(bytes(PH)));
        refused(door, Ask.of("POST /v1/x", JSON, "X-Key: " + PH).content(bytes("{}")));
    }

    /** Whoever does not ask for the credential does not get it; a key of the agent's own goes off all the same. */
    @EveryDoor
    void without_it_a_request_goes_without_the_credential_and_the_record_claims_none(Door door) {
        place("{kind: header, name: X-Key}");
        Reply reply = ask(door, Ask.of("GET /v1/x", "X-Key: mine"));
        if (door.gateway()) {
            // There a second value in the place of the token is a doubt.
            assertThat(reply.status()).isEqualTo(400);
            reply = ask(door, Ask.of("GET /v1/x"));
        }
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        assertThat(seen(door).head()).doesNotContain("mine", "sk-live", "X-Key");
        assertThat(entry("used")).contains("\"credentials\":[]").doesNotContain("mine");
        if (!door.gateway()) {
            assertThat(entry("used")).contains("\"removed\":[\"x-key\"]");
        }
        assertThat(entry("outcome")).contains("\"injected\":[]");
    }

    /** RW-28: 3 bytes and 5 MiB without a placeholder, to a place in the content. */
    @EveryDoor
    void without_it_content_leaves_as_it_came_with_its_length(Door door) {
        place("{kind: json, pointer: /token}");
        byte[] much = new byte[5 * 1024 * 1024];
        for (Ask ask : new Ask[] {
            Ask.of("POST /v1/x", JSON).content(bytes("{ }")),
            Ask.of("POST /v1/x", "Content-Type: application/octet-stream").content(much)
        }) {
            Reply reply = ask(door, ask);
            assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
            var seen = seen(door);
            assertThat(seen.content()).isEqualTo(ask.content());
            assertThat(seen.field("Content-Length")).containsExactly("" + ask.says());
            assertThat(entry("outcome")).doesNotContain("content_changed");
        }
    }
}
