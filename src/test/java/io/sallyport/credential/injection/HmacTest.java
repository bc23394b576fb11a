package io.sallyport.credential.injection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.credential.Injected;
import io.sallyport.credential.source.Material;
import io.sallyport.document.Compiled;
import io.sallyport.document.Keys;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Origin;
import io.sallyport.http.RequestHead;
import io.sallyport.http.Target;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Signatures by a shared key, held against what others publish. */
class HmacTest {

    private static RequestHead head(String method, String target) {
        return new RequestHead(
                method,
                Origin.parse("https://api.example.com").orElseThrow(),
                Target.parse(target).orElseThrow(),
                Fields.of("Host", "api.example.com"),
                new Framing.None(),
                false);
    }

    private static Optional<Injection> read(Map<String, Object> inject, List<String> problems) {
        Keys keys = Keys.of(inject);
        Optional<Injection> injection = InjectionForms.read(keys, "acme");
        if (keys.compiled(() -> "") instanceof Compiled.Rejected<String>(var rejected)) {
            rejected.forEach(problem -> problems.add(problem.where() + " " + problem.what()));
        }
        return injection;
    }

    private static Fields signed(Map<String, Object> more, String secret, RequestHead head, String content, long at) {
        Map<String, Object> inject = new HashMap<>(more);
        inject.put("kind", "hmac");
        List<String> problems = new java.util.ArrayList<>();
        Injection injection = read(inject, problems).orElseThrow(() -> new AssertionError(problems));
        Material material = Material.of(secret.getBytes(ISO_8859_1));
        assertThat(injection.problem(material)).isEmpty();
        Placement placement = injection
                .injector(material, text -> {
                    throw new AssertionError("no placeholder here");
                })
                .placement(Clock.fixed(Instant.ofEpochSecond(at), ZoneOffset.UTC));
        Injected injected = placement.head(head, head);
        if (placement.content() == io.sallyport.credential.ContentUse.WHOLE) {
            injected = placement.whole(((Injected.Done) injected).head(), content.getBytes(ISO_8859_1));
        }
        return ((Injected.Done) injected).head().fields();
    }

    /** The example of GitHub's manual, "Validating webhook deliveries". */
    @Test
    void github_signs_the_content() {
        assertThat(signed(
                        Map.of(
                                "field", "X-Hub-Signature-256",
                                "template", "sha256={signature}",
                                "over", List.of("content")),
                        "It's a Secret to Everybody",
                        head("POST", "/hook"),
                        "Hello, World!",
                        0))
                .contains(new Field(
                        "X-Hub-Signature-256",
                        "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
                        true));
    }

    /** The example of Slack's manual, "Verifying requests from Slack". */
    @Test
    void slack_signs_a_version_a_time_and_the_content() {
        String content =
                "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
        Fields fields = signed(
                Map.of(
                        "field", "X-Slack-Signature",
                        "template", "v0={signature}",
                        "timestamp-field", "X-Slack-Request-Timestamp",
                        "separator", ":",
                        "over", List.of(Map.of("text", "v0"), "timestamp", "content")),
                "8f742231b10e8888abcd99yyyzzz85a5",
                head("POST", "/commands"),
                content,
                1531420618);
        assertThat(fields)
                .contains(
                        new Field("X-Slack-Request-Timestamp", "1531420618", true),
                        new Field(
                                "X-Slack-Signature",
                                "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
                                true));
    }

    /** Stripe's form, time and content with a point between; the value is OpenSSL's. */
    @Test
    void stripe_has_time_and_signature_in_one_field() {
        assertThat(signed(
                        Map.of(
                                "field", "Stripe-Signature",
                                "template", "t={timestamp},v1={signature}",
                                "separator", ".",
                                "over", List.of("timestamp", "content")),
                        "whsec_test_secret",
                        head("POST", "/hook"),
                        "{\"id\":\"evt_1\"}",
                        1614265330))
                .contains(new Field(
                        "Stripe-Signature",
                        "t=1614265330,v1=e135cdbed3dda004bf8a2fb350f2541d299393c770e0b9e6e319dc595e9072aa",
                        true));
    }

    /** By lengths, where elements may hold anything; the value is OpenSSL's. */
    @Test
    void each_element_is_preceded_by_its_length_where_there_is_no_separator() {
        assertThat(signed(
                        Map.of(
                                "field", "X-Signature",
                                "separator", "length",
                                "encoding", "base64",
                                "algorithm", "sha512",
                                "key-encoding", "hex",
                                "timestamp", "iso",
                                "timestamp-field", "X-Date",
                                "over", List.of("method", "target", "host", "timestamp", "content-sha256")),
                        "00112233445566778899aabbccddeeff",
                        head("PUT", "/a/b?c=d"),
                        "x",
                        0))
                .contains(new Field(
                        "X-Signature",
                        "SbHqkLjyNYcOlPJi5Qa1IWmIVaNBv3ZTla8/3cVlNVGoFLDtTUYm1b+mam6qt8y/LNGQ+Gj+mpQUzN+lcfz7lw==",
                        true));
    }

    @Test
    void what_two_requests_could_share_is_refused_when_the_document_is_read() {
        for (Map<String, Object> inject : List.<Map<String, Object>>of(
                Map.of("field", "X-S", "over", List.of("content", "method")),
                Map.of("field", "X-S", "separator", ".", "over", List.of("path", "content-sha256")),
                Map.of("field", "X-S", "separator", ".", "over", List.of("method", "content-sha256")),
                Map.of("field", "X-S", "separator", ":", "over", List.of(Map.of("text", "a:b"), "content")),
                Map.of(
                        "field",
                        "X-S",
                        "separator",
                        ":",
                        "timestamp",
                        "iso",
                        "timestamp-field",
                        "X-D",
                        "over",
                        List.of("timestamp", "content")),
                Map.of("field", "X-S", "over", List.of("timestamp", "content")),
                Map.of("field", "X-S", "timestamp-field", "X-D", "over", List.of("content")),
                Map.of("field", "X-S", "template", "{secret}", "over", List.of("content")),
                Map.of("field", "Host", "over", List.of("content")),
                Map.of("field", "X-S", "over", List.of("body")))) {
            Map<String, Object> keys = new HashMap<>(inject);
            keys.put("kind", "hmac");
            List<String> problems = new java.util.ArrayList<>();
            read(keys, problems);
            assertThat(problems).as(inject.toString()).isNotEmpty();
        }
    }

    @Test
    void a_field_that_is_signed_has_to_be_there_once() {
        Map<String, Object> inject =
                Map.of("kind", "hmac", "field", "X-S", "over", List.of("method", Map.of("field", "X-Id")));
        Injection injection = read(inject, new java.util.ArrayList<>()).orElseThrow();
        Placement placement = injection
                .injector(Material.of("a-shared-key".getBytes(ISO_8859_1)), text -> {
                    throw new AssertionError("no placeholder here");
                })
                .placement(Clock.systemUTC());
        RequestHead head = head("GET", "/x");
        assertThat(placement.head(head, head))
                .isInstanceOfSatisfying(
                        Injected.Refused.class,
                        refused -> assertThat(refused.misfit()).isEqualTo(Injected.Misfit.HEAD));
        assertThat(injection.signs()).isTrue();
    }
}
