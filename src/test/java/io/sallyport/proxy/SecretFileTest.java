package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.rules.RuleBooks;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RW-31: files of secrets as editors and pipelines leave them. One line end is not part of a secret; what else is unfit never leaves. */
class SecretFileTest extends HopCase {

    private static final String BAD = "sk-live-unfit-0123456789";

    private static final Map<String, String> FILES = Map.of(
            "newline", TestHop.SECRET + "\n",
            "crlf", TestHop.SECRET + "\r\n",
            "two-line-ends", BAD + "\n\n",
            "inner", BAD + "\r\nX-Evil: 1",
            "bare-newline", BAD + "\nX-Evil: 1",
            "empty", "",
            "only-newline", "\n",
            "nul", BAD + "\0tail");

    @BeforeAll
    void documents() {
        StringBuilder scopes = new StringBuilder("""
                sallyport: v1
                policy: fixer
                owner: team@example.com
                reason: Reads with secrets of many shapes
                review-by: 2099-01-01
                who: [{identity: ci, subject: agent-1}]
                task: {ttl: 15min, uses: 1000, bytes-out: 1GiB, binding: address}
                scopes:
                """);
        FILES.forEach((name, content) -> {
            hop.secret(name, content.getBytes(ISO_8859_1));
            hop.document("credentials/" + name + ".yml", """
                    sallyport: v1
                    credential: %s
                    destinations: ["https://api.up.test:${tls}"]
                    source: {kind: file, name: %s}
                    inject: {kind: bearer}
                    blast-radius: low
                    """.formatted(name, name));
            scopes.append("  ").append(name).append(":\n");
            scopes.append("    reason: Reads\n");
            scopes.append("    destination: {url: \"https://api.up.test:${tls}\", addresses: [127.0.0.0/8]}\n");
            scopes.append("    allow: [\"GET /").append(name).append("\"]\n");
            scopes.append("    credential: ").append(name).append("\n");
        });
        hop.document("policies/fixer.yml", scopes.toString());
        assertThat(hop.reload()).isInstanceOf(RuleBooks.Reload.Swapped.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"newline", "crlf"})
    void one_line_end_at_the_end_is_not_part_of_the_secret(String name) {
        assertThat(throughTunnel(name).status()).isEqualTo(200);
        assertThat(throughGateway(name).status()).isEqualTo(200);
        assertThat(hop.origin().received())
                .hasSize(2)
                .allSatisfy(
                        seen -> assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET));
    }

    @ParameterizedTest
    @ValueSource(strings = {"two-line-ends", "inner", "bare-newline", "empty", "only-newline", "nul"})
    void a_secret_that_can_stand_in_no_field_stops_the_request_and_is_not_quoted(String name) {
        for (RawClient.Answer answer : new RawClient.Answer[] {throughTunnel(name), throughGateway(name)}) {
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text()).contains("\"error\":\"unavailable\"").doesNotContain("\"ledger\":null");
            assertThat(answer.toString()).doesNotContain("X-Evil", "sk-live", "line end", "is empty");
        }
        assertThat(hop.origin().received()).isEmpty();
        assertThat(hop.entries("refused"))
                .as("names the credential, not its content")
                .anyMatch(entry -> entry.contains("/" + name + "\"") && entry.contains("unavailable"))
                .noneMatch(entry -> entry.contains("X-Evil") || entry.contains("sk-live"));
    }

    @Test
    void a_file_that_is_mended_serves_within_a_second_without_a_restart() {
        assertThat(throughTunnel("empty").status()).isEqualTo(503);
        hop.secret("empty", TestHop.SECRET.getBytes(ISO_8859_1));
        try {
            org.awaitility.Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(throughTunnel("empty").status()).isEqualTo(200));
        } finally {
            hop.secret("empty", new byte[0]);
            org.awaitility.Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(throughTunnel("empty").status()).isEqualTo(503));
        }
    }

    private RawClient.Answer throughTunnel(String name) {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token(name))) {
            return agent.send(request("GET /" + name)).read();
        }
    }

    private RawClient.Answer throughGateway(String name) {
        try (RawClient agent = hop.connect()) {
            return agent.send(text(
                            "GET /gateway/fixer:" + name + "/" + name, "localhost", "x-api-key: " + hop.token(name)))
                    .read();
        }
    }
}
