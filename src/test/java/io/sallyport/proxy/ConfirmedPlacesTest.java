package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.credential.Credential;
import io.sallyport.credential.Leases;
import io.sallyport.credential.Places;
import io.sallyport.rules.RuleBooks;
import io.sallyport.store.Writer;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever edits a credential's document, and nothing else, tries to have its secret sent to a server of theirs. */
class ConfirmedPlacesTest {

    private static final String UP = """
            sallyport: v1
            credential: NAME
            destinations: [DESTINATIONS]
            source: {kind: file, name: up}
            inject: INJECT
            blast-radius: low
            """;

    private static final String API = "\"https://api.up.test:${tls}\"";
    private static final String BOTH = API + ", \"https://blob.up.test:${tls}\"";

    private final TestHop hop = TestHop.start();

    @BeforeEach
    void used() {
        write("up", API, "{kind: bearer}");
        assertThat(get("api.up.test", "/v1/x").status()).isEqualTo(200);
        hop.origin().received().clear();
    }

    @AfterEach
    void close() {
        hop.close();
    }

    private void write(String name, String destinations, String inject) {
        hop.document(
                "credentials/" + name + ".yml",
                UP.replace("NAME", name).replace("DESTINATIONS", destinations).replace("INJECT", inject));
        send(name, "api.up.test");
    }

    private void send(String credential, String host) {
        hop.document("policies/fixer.yml", """
                sallyport: v1
                policy: fixer
                owner: team@example.com
                reason: Sends it elsewhere
                review-by: 2099-01-01
                who:
                  - {identity: ci, subject: "agent-1"}
                scopes:
                  read:
                    reason: Elsewhere
                    destination: {url: "https://%s:${tls}", addresses: [127.0.0.0/8]}
                    allow: ["GET /v1/**"]
                    credential: %s
                """.formatted(host, credential));
        assertThat(hop.reload()).isInstanceOf(RuleBooks.Reload.Swapped.class);
    }

    private RawClient.Answer get(String host, String path) {
        try (RawClient agent = hop.tunnel(host, hop.token("read"))) {
            return agent.send("GET " + path + " HTTP/1.1\r\nHost: " + hop.host(host) + "\r\n\r\n")
                    .read();
        }
    }

    private Credential credential(String name) {
        return hop.room(RuleBooks.class).current().credentials().get(name);
    }

    private List<String> unconfirmed(String name) {
        return hop.room(Places.class).unconfirmed(credential(name));
    }

    private void confirm(String name) {
        hop.room(Writer.class).write(tx -> {
            hop.room(Places.class).confirm(tx, credential(name), "operator");
            return 0;
        });
    }

    private void heldBack(String host) {
        RawClient.Answer answer = get(host, "/v1/x");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.text()).contains("\"unavailable\"").doesNotContain("confirm");
        assertThat(hop.origin().received()).isEmpty();
        assertThat(hop.entries("refused")).last().asString().contains("an operator confirms it with");
        assertThat(hop.room(Leases.class)
                        .whyUnavailable(credential("up"))
                        .toCompletableFuture()
                        .join())
                .isPresent();
    }

    @Test
    void another_destination_gets_the_secret_only_when_an_operator_has_confirmed_it() {
        write("up", BOTH, "{kind: bearer}");
        send("up", "blob.up.test");
        heldBack("blob.up.test");
        assertThat(unconfirmed("up"))
                .singleElement()
                .asString()
                .startsWith("https://blob.up.test:")
                .contains("Bearer");
        confirm("up");
        assertThat(unconfirmed("up")).isEmpty();
        assertThat(get("blob.up.test", "/v1/x").status()).isEqualTo(200);
        assertThat(hop.origin().received().getFirst().field("Authorization"))
                .containsExactly("Bearer " + TestHop.SECRET);
    }

    @Test
    void another_injection_shows_it_only_when_an_operator_has_confirmed_it() {
        write("up", API, "{kind: header, name: X-Echoed}");
        send("up", "api.up.test");
        heldBack("api.up.test");
        confirm("up");
        assertThat(get("api.up.test", "/v1/x").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{kind: local}",
                "{kind: oauth-refresh-token, token-endpoint: \"https://issuer.test/token\", client-id: us, client-auth: none}"
            })
    void what_a_person_enters_is_sealed_with_its_places_and_not_confirmed_besides(String source) {
        writtenIn(API, source);
        confirm("entered");
        writtenIn(BOTH, source);
        assertThat(unconfirmed("entered")).isEmpty();
    }

    private void writtenIn(String destinations, String source) {
        hop.document(
                "credentials/entered.yml",
                UP.replace("NAME", "entered")
                        .replace("DESTINATIONS", destinations)
                        .replace("{kind: file, name: up}", source)
                        .replace("INJECT", "{kind: bearer}"));
        assertThat(hop.reload()).isInstanceOf(RuleBooks.Reload.Swapped.class);
    }

    @Test
    void a_document_under_another_name_with_the_same_source_is_no_way_around() {
        hop.document(
                "credentials/second.yml",
                UP.replace("NAME", "second").replace("DESTINATIONS", BOTH).replace("INJECT", "{kind: bearer}"));
        send("second", "blob.up.test");
        assertThat(get("blob.up.test", "/v1/x").status()).isEqualTo(503);
        assertThat(hop.origin().received()).isEmpty();
        assertThat(unconfirmed("second")).hasSize(1);
    }

    @Test
    void fewer_destinations_and_those_of_before_need_nobody() {
        write("up", BOTH, "{kind: bearer}");
        confirm("up");
        write("up", API, "{kind: bearer}");
        assertThat(get("api.up.test", "/v1/x").status()).isEqualTo(200);
        write("up", BOTH, "{kind: bearer}");
        assertThat(unconfirmed("up")).isEmpty();
    }
}
