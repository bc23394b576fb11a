package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.rules.RuleBooks;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestHop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whoever can write where the secret is kept puts a key of their own account there, so that what the policy allows goes to them. */
class AccountTest {

    private static final String UP = """
            sallyport: v1
            credential: up
            destinations: ["https://api.up.test:${tls}", "https://blob.up.test:${tls}", "http://clear.up.test:${plain}"]
            source: {kind: file, name: up}
            inject: {kind: bearer}
            account:
              url: "https://api.up.test:${tls}/user"
              member: /login
              is: [acme-bot]
              trust: roots.pem
              addresses: [127.0.0.0/8]
            blast-radius: low
            """;

    private final TestCertificates authority = TestCertificates.authority();
    private final TestHop hop = TestHop.startWith(authority, authority.issue("*.up.test"));

    @BeforeEach
    void write() {
        hop.document("credentials/roots.pem", authority.rootPem());
        hop.document("credentials/up.yml", UP);
        assertThat(hop.reload()).isInstanceOf(RuleBooks.Reload.Swapped.class);
        hop.origin().answer((request, out) -> {
            boolean ours = request.head().contains("Bearer " + TestHop.SECRET);
            String content = request.head().startsWith("GET /user ")
                    ? "{\"login\":\"" + (ours ? "acme-bot" : "mallory") + "\"}"
                    : "hello";
            out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + content.length() + "\r\n\r\n" + content)
                    .getBytes(StandardCharsets.ISO_8859_1));
        });
    }

    @AfterEach
    void close() {
        hop.close();
    }

    private RawClient.Answer get() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            return agent.send("GET /v1/x HTTP/1.1\r\nHost: " + hop.host("api.up.test") + "\r\n\r\n")
                    .read();
        }
    }

    private List<String> targets() {
        return hop.origin().received().stream()
                .map(request -> request.head().split(" ")[1])
                .toList();
    }

    @Test
    void its_key_is_shown_to_the_account_page_and_to_nothing_else() {
        assertThat(get().status()).isEqualTo(200);
        assertThat(get().status()).isEqualTo(200);
        assertThat(targets()).as("asked once").containsExactly("/user", "/v1/x", "/v1/x");

        hop.secret("up", "key-of-mallory-0123456789".getBytes(StandardCharsets.US_ASCII));
        hop.clock().pass(Duration.ofSeconds(5));
        RawClient.Answer answer = get();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.text()).contains("\"unavailable\"").doesNotContain("mallory");
        assertThat(hop.entries("refused"))
                .last()
                .asString()
                .contains("it opens the account")
                .contains("mallory");
        assertThat(targets()).containsExactly("/user", "/v1/x", "/v1/x", "/user");

        hop.secret("up", TestHop.SECRET.getBytes(StandardCharsets.US_ASCII));
        hop.clock().pass(Duration.ofSeconds(5));
        assertThat(get().status()).isEqualTo(200);
    }
}
