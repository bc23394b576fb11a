package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.credential.Credential;
import io.sallyport.credential.Places;
import io.sallyport.rules.RuleBooks;
import io.sallyport.store.Writer;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever an agent sends, each slot of a rule holds one credential, and it is ours. */
class OneCredentialTest extends HopCase {

    private static final String SECOND = """
            sallyport: v1
            credential: second
            destinations: ["https://api.up.test:${tls}"]
            source: {kind: file, name: second}
            inject: INJECT
            blast-radius: low
            """;

    private static final String SECOND_SECRET = "second-secret-0123456789";

    private void second(String inject) {
        hop.secret("second", SECOND_SECRET.getBytes(ISO_8859_1));
        hop.document("credentials/second.yml", SECOND.replace("INJECT", inject));
        // The scope clear goes elsewhere, by plain HTTP.
        String policy = TestHop.POLICY;
        int clear = policy.indexOf("  clear:");
        hop.document(
                "policies/fixer.yml",
                policy.substring(0, clear).replace("credential: up", "credential: [up, second]")
                        + policy.substring(clear));
        if (hop.reload() instanceof RuleBooks.Reload.Kept(var problems)) {
            throw new AssertionError(problems);
        }
        // Another inject sends the secret to another place, which waits for an operator.
        Credential changed = hop.room(RuleBooks.class).current().credentials().get("second");
        hop.room(Writer.class).write(tx -> {
            hop.room(Places.class).confirm(tx, changed, "operator");
            return 0;
        });
    }

    private static String spelled(Random random, String name) {
        StringBuilder spelled = new StringBuilder();
        for (char c : name.toCharArray()) {
            char cased = random.nextBoolean() ? Character.toUpperCase(c) : c;
            spelled.append(c == '-' && random.nextInt(3) == 0 ? '_' : cased);
        }
        return spelled.toString();
    }

    private static String inQuery(Random random, String name) {
        StringBuilder spelled = new StringBuilder();
        for (char c : spelled(random, name).toCharArray()) {
            spelled.append(random.nextInt(4) == 0 ? "%" + String.format("%02x", (int) c) : String.valueOf(c));
        }
        return spelled.toString();
    }

    @Test
    void random_heads_leave_with_exactly_one_credential_in_each_of_two_slots() {
        second("{kind: query, name: api-key}");
        Random random = new Random(20261130);
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read", "write"))) {
            for (int round = 0; round < 300; round++) {
                List<String> fields = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    String name = List.of("authorization", "api-key", "cookie", "x-api-key")
                            .get(random.nextInt(4));
                    fields.add(spelled(random, name) + ": Bearer mine" + i);
                }
                StringBuilder query = new StringBuilder("?q=1");
                for (int i = random.nextInt(4); i > 0; i--) {
                    query.append(random.nextBoolean() ? '&' : ';')
                            .append(inQuery(random, "api-key"))
                            .append(random.nextBoolean() ? "=mine" : "[]=mine");
                }
                fields.add("Content-Length: 0");
                assertThat(agent.send(request("POST /v1/x" + query, fields.toArray(String[]::new)))
                                .read()
                                .status())
                        .isEqualTo(200);
                TestOrigin.Received seen = hop.origin().received().removeFirst();
                assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
                assertThat(seen.target()).isEqualTo("/v1/x?q=1&api-key=" + SECOND_SECRET);
                assertThat(seen.head()).doesNotContain("mine");
            }
        }
    }

    /** RW-24: in the head and in the content of one request. */
    @Test
    void two_credentials_stand_in_one_request_and_a_missing_one_sends_neither() {
        second("{kind: form, name: token}");
        String form = "Content-Type: application/x-www-form-urlencoded";
        String token = hop.token("write");
        try (RawClient agent = hop.tunnel("api.up.test", token)) {
            assertThat(agent.send(request("POST /v1/x", form, "Content-Length: 3") + "a=1")
                            .read()
                            .status())
                    .isEqualTo(200);
            TestOrigin.Received seen = hop.origin().received().removeFirst();
            assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
            assertThat(seen.text()).isEqualTo("a=1&token=" + SECOND_SECRET);
            assertThat(hop.entries("outcome").getLast()).contains("\"injected\":[\"up\",\"second\"]");
        }
        second("{kind: form, name: token, part: session-token}");
        try (RawClient agent = hop.tunnel("api.up.test", token)) {
            assertThat(agent.send(request("POST /v1/x", form, "Content-Length: 3") + "a=1")
                            .read()
                            .status())
                    .isEqualTo(503);
        }
        assertThat(hop.origin().received()).isEmpty();
        assertThat(hop.entries("refused").getLast()).contains("no part session-token");
    }

    /** RW-31. */
    @Test
    void a_secret_file_that_ends_with_a_line_end_is_cut_and_one_with_more_in_it_is_never_sent() {
        second("{kind: header, name: X-Second}");
        List<String> good = List.of(SECOND_SECRET + "\n", SECOND_SECRET + "\r\n");
        List<String> bad = List.of("abcdefgh\r\nX-Evil: 1", "", "\n", SECOND_SECRET + "\0", SECOND_SECRET + "\n\n");
        String token = hop.token("write");
        for (String content :
                List.of(good.get(0), bad.get(0), good.get(1), bad.get(1), bad.get(2), bad.get(3), bad.get(4))) {
            hop.secret("second", content.getBytes(ISO_8859_1));
            hop.clock().pass(java.time.Duration.ofSeconds(2));
            try (RawClient agent = hop.tunnel("api.up.test", token)) {
                RawClient.Answer answer =
                        agent.send(request("POST /v1/x", "Content-Length: 0")).read();
                assertThat(answer.status()).as(content).isEqualTo(good.contains(content) ? 200 : 503);
                assertThat(answer.toString()).doesNotContain("X-Evil", "abcdefgh", SECOND_SECRET);
            }
            if (good.contains(content)) {
                assertThat(hop.origin().received().removeFirst().field("X-Second"))
                        .containsExactly(SECOND_SECRET);
            } else {
                assertThat(hop.entries("refused").getLast())
                        .contains("'second'")
                        .doesNotContain("Evil", SECOND_SECRET);
            }
        }
        assertThat(hop.origin().received()).isEmpty();
    }
}
