package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Ask;
import io.sallyport.testing.Door;
import io.sallyport.testing.EveryDoor;
import io.sallyport.testing.EveryHttp1Door;
import io.sallyport.testing.InjectionCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.Reply;
import io.sallyport.testing.TestOrigin;
import java.security.MessageDigest;
import java.util.HexFormat;

/** A secret in the content of a request. */
class ContentInjectionTest extends InjectionCase {

    private static final String FORM = "Content-Type: application/x-www-form-urlencoded";
    private static final String JSON = "Content-Type: application/json; charset=utf-8";
    private static final String ESCAPED = "sk-live-Ab%2FCd%2BEf%3DGh%26Ij%22Kl%3CMn%3E7890qrSTuvWX";

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    private static String sha256(String text) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes(text)));
    }

    /** RW-24, RW-28. */
    @EveryDoor
    void a_form_has_exactly_one_field_of_that_name_and_its_length_is_said_anew(Door door) throws Exception {
        inject("{kind: form, name: token}");
        String form = "a=1&token=mine&TOKEN=mine&to%6Ben=mine&b=%20x";
        for (Ask ask : new Ask[] {
            Ask.of("POST /v1/x", FORM).content(bytes(form)),
            Ask.of("POST /v1/x", FORM).unsized(bytes(form))
        }) {
            Reply reply = ask(door, ask);
            assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
            TestOrigin.Received seen = seen(door);
            assertThat(seen.text()).isEqualTo("a=1&b=%20x&token=" + ESCAPED);
            assertThat(seen.field("Content-Length"))
                    .isEqualTo(ask.says() < 0 ? java.util.List.of() : java.util.List.of("" + seen.content().length));
            assertThat(entry("used"))
                    .contains(sha256(form), "\"complete\":true", "form:token", "\"credentials\":[\"up\"]")
                    .doesNotContain("sk-live");
            assertThat(entry("outcome"))
                    .contains("\"content_changed\":true", "\"sent_content_hmac\":\"", "\"injected\":[\"up\"]")
                    .doesNotContain(sha256(seen.text()));
        }
    }

    @EveryDoor
    void a_form_without_content_gets_the_field_alone(Door door) {
        inject("{kind: form, name: token}");
        assertThat(ask(door, Ask.of("POST /v1/x", FORM).content(bytes(""))).status())
                .isEqualTo(200);
        assertThat(seen(door).text()).isEqualTo("token=" + ESCAPED);
    }

    @EveryDoor
    void in_json_one_member_changes_and_every_byte_around_it_stays(Door door) {
        inject("{kind: json, pointer: /auth/token}");
        String before = "{ \"x\" : [1, 2.50, {\"token\":0}],\n \"auth\" : {\"user\":\"\\u00e9\", \"token\" : ";
        String after = " } , \"y\":\"\u00e9\" }\n";
        String secret = "\"sk-live-Ab/Cd+Ef=Gh&Ij\\\"Kl<Mn>7890qrSTuvWX\"";
        for (String value : new String[] {"\"mine\"", "null", "{\"a\":[1]}", "12"}) {
            Reply reply = ask(
                    door,
                    Ask.of("POST /v1/x", JSON)
                            .content((before + value + after).getBytes(java.nio.charset.StandardCharsets.UTF_8)));
            assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
            assertThat(new String(seen(door).content(), java.nio.charset.StandardCharsets.UTF_8))
                    .isEqualTo(before + secret + after);
        }
        assertThat(ask(door, Ask.of("POST /v1/x", JSON).content(bytes("{\"auth\":{}}")))
                        .status())
                .isEqualTo(200);
        assertThat(seen(door).text()).isEqualTo("{\"auth\":{\"token\":" + secret + "}}");
        assertThat(ask(door, Ask.of("POST /v1/x", JSON).content(bytes("{\"auth\":{ \"user\":1}}")))
                        .status())
                .isEqualTo(200);
        assertThat(seen(door).text()).isEqualTo("{\"auth\":{\"token\":" + secret + ", \"user\":1}}");
    }

    @EveryDoor
    void content_that_two_readers_could_read_differently_is_refused(Door door) {
        inject("{kind: json, pointer: /auth/token}");
        for (String content : new String[] {
            "{\"auth\":{\"token\":\"a\",\"token\":\"b\"}}",
            "{\"auth\":{\"token\":\"a\",\"\\u0074oken\":\"b\"}}",
            "{\"auth\":{\"token\":\"a\",\"Token\":\"b\"}}",
            "{\"auth\":{},\"Auth\":{\"token\":\"mine\"}}",
            "{\"auth\":{},\"b\":{\"c\":1,\"c\":2}}",
            "{\"auth\":{}} {}",
            "{\"auth\":[]}",
            "[]",
            "{}",
            "",
            "{\"auth\":{\"token\":'a'}}",
            "\u0000{\u0000}",
            "{\"auth\":{\"token\":\"a\"}"
        }) {
            Reply reply = ask(door, Ask.of("POST /v1/x", JSON).content(bytes(content)));
            assertThat(reply.status()).as(content).isEqualTo(400);
            assertThat(reply.text())
                    .as(content)
                    .contains("content_without_place")
                    .doesNotContain("mine");
        }
        assertThat(door.origin(hop).received()).isEmpty();
        assertThat(hop.entries("refused")).noneMatch(entry -> entry.contains("mine"));
    }

    @EveryDoor
    void content_of_another_type_or_in_a_coding_is_refused(Door door) {
        inject("{kind: form, name: token}");
        for (Ask ask : new Ask[] {Ask.of("POST /v1/x", JSON), Ask.of("POST /v1/x"), Ask.of("POST /v1/x", FORM, JSON)}) {
            withoutPlace(door, ask);
        }
        inject("{kind: json, pointer: /token}");
        withoutPlace(door, Ask.of("POST /v1/x", JSON, "Content-Encoding: gzip"));
        withoutPlace(door, Ask.of("POST /v1/x", FORM));
        assertThat(door.origin(hop).received()).isEmpty();
    }

    private void withoutPlace(Door door, Ask ask) {
        Reply reply = ask(door, ask.content(bytes("a=1")));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(415);
        assertThat(reply.text()).contains("content_type_without_place");
    }

    /** RW-28. */
    @EveryDoor
    void more_content_than_is_gathered_is_refused_in_both_framings(Door door) {
        inject("{kind: form, name: token}");
        byte[] content = bytes("a=" + "x".repeat(2 * 1024 * 1024));
        for (Ask ask : new Ask[] {
            Ask.of("POST /v1/x", FORM).content(content),
            Ask.of("POST /v1/x", FORM).unsized(content)
        }) {
            Reply reply = ask(door, ask);
            assertThat(reply.status()).isEqualTo(413);
            assertThat(reply.text()).contains("content_too_large_to_inject", "1048576");
        }
        assertThat(door.origin(hop).received()).isEmpty();
    }

    @EveryDoor
    void a_digest_of_what_is_changed_would_be_untrue_and_is_refused(Door door) {
        inject("{kind: form, name: token}");
        Reply reply = ask(
                door,
                Ask.of("POST /v1/x", FORM, "Content-Digest: sha-256=:AAAA:").content(bytes("a=1")));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text()).contains("head_not_injectable", "Content-Digest");
    }

    /** The destination hears of the request when it is whole, so that the hop answers for it. */
    @EveryHttp1Door
    void whoever_waits_to_be_asked_for_content_is_asked_by_the_hop(Door door) {
        inject("{kind: form, name: token}");
        String token = door.token(hop);
        try (RawClient agent = door.open(hop, token)) {
            agent.send(door.head(hop, token, "POST /v1/x", FORM, "Expect: 100-continue", "Content-Length: 3"));
            assertThat(agent.read().status()).isEqualTo(100);
            assertThat(door.origin(hop).received()).isEmpty();
            assertThat(agent.send("a=1").read().status()).isEqualTo(200);
        }
        TestOrigin.Received seen = seen(door);
        assertThat(seen.text()).isEqualTo("a=1&token=" + ESCAPED);
        assertThat(seen.field("Expect")).isEmpty();
    }
}
