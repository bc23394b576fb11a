package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.proxy.tls.MintedLeaves;
import io.sallyport.testing.ClientHellos;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tunnels to hosts that a policy passes through: unread, without a certificate of ours, and recorded, limited and cut like everything else. */
class PassThroughTest extends HopCase {

    static final String POLICY = TestHop.POLICY + """
              raw:
                reason: Pins its certificate
                destination: {url: "https://raw.up.test:${tls}", addresses: [127.0.0.0/8]}
                intercept: false
                credential: none
                wide: The client pins the certificate
              little:
                reason: Pins its certificate and says little
                destination: {url: "https://little.up.test:${tls}", addresses: [127.0.0.0/8]}
                intercept: false
                limits: {body: 64KiB}
                credential: none
                wide: The client pins the certificate
              inside:
                reason: A name that resolves to where no document lets it
                destination: "https://inside.up.test:${tls}"
                intercept: false
                credential: none
                wide: The client pins the certificate
            """;

    @Override
    protected TestHop startHop() {
        return TestHop.start(settings -> settings, POLICY);
    }

    /** Verifies the origin itself, by the origin's own root. */
    private RawClient through(String host, String token) {
        return hop.connected(host, token)
                .tls(hop.authority().clientContext(), host, hop.origin().port());
    }

    private RawClient blind(String token) {
        return hop.connected("raw.up.test", token);
    }

    private String entry(String kind, String part) {
        Awaitility.await().until(() -> hop.entries(kind).stream().anyMatch(entry -> entry.contains(part)));
        return hop.entries(kind).stream()
                .filter(entry -> entry.contains(part))
                .toList()
                .getLast();
    }

    @Test
    void the_agent_speaks_with_the_destination_itself_and_what_it_sent_is_recorded_before_it_left() throws Exception {
        long minted = hop.room(MintedLeaves.class).minted();
        Grant grant = hop.grant("raw");
        try (RawClient agent = through("raw.up.test", hop.token(grant))) {
            RawClient.Answer answer = agent.send(text("GET /anything", "raw.up.test", "Authorization: Bearer its-own"))
                    .read();
            assertThat(answer.text()).isEqualTo("hello");
            agent.send(text("GET /more", "raw.up.test")).read();
        }
        assertThat(hop.origin().received())
                .extracting(TestOrigin.Received::requestLine)
                .containsExactly("GET /anything HTTP/1.1", "GET /more HTTP/1.1");
        assertThat(hop.origin().received().getFirst().field("Authorization")).containsExactly("Bearer its-own");

        String used = entry("used", grant.id());
        assertThat(used).contains("\"method\":\"CONNECT\"", "\"scope\":\"raw\"", "raw.up.test");
        assertThat(hop.entries("window")).isNotEmpty();
        assertThat(entry("outcome", grant.id()))
                .contains("\"outcome\":\"answered\"")
                .doesNotContain("\"bytes_out\":0");
        assertThat(hop.room(MintedLeaves.class).minted()).as("certificates").isEqualTo(minted);
        assertThatThrownBy(() -> hop.room(MintedLeaves.class).leaf("raw.up.test"))
                .hasMessageContaining("raw.up.test");
    }

    @Test
    void the_hash_of_what_left_is_that_of_the_bytes_the_destination_got() throws Exception {
        Grant grant = hop.grant("raw");
        byte[] hello = ClientHellos.of("raw.up.test", false);
        try (RawClient agent = blind(hop.token(grant))) {
            agent.send(hello);
            String hash = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(hello));
            assertThat(entry("used", grant.id())).contains(hash);
        }
    }

    @Test
    void a_tunnel_that_is_for_another_host_or_may_be_reaches_nobody() throws Exception {
        String token = hop.token("raw");
        int connections = hop.origin().connections();
        for (byte[] start : List.of(
                ClientHellos.of("api.up.test", false),
                ClientHellos.of("raw.up.test.evil.example", false),
                ClientHellos.of(null, false),
                ClientHellos.of("raw.up.test", true),
                ClientHellos.ofEach("api.up.test", "raw.up.test"),
                ClientHellos.ofEach("raw.up.test", "api.up.test"),
                ClientHellos.ofEach("raw.up.test", "api.up.test", "raw.up.test"),
                "GET / HTTP/1.1\r\nHost: raw.up.test\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                "SSH-2.0-OpenSSH_9.2\r\n".getBytes(StandardCharsets.US_ASCII),
                new byte[] {22, 3, 1, 0, 8, 1, 0, 0, 4, 3, 3, 0, 0})) {
            try (RawClient agent = blind(token)) {
                byte[] answer = agent.send(start).input().readAllBytes();
                assertThat(answer).as("unrecognized_name").isEqualTo(new byte[] {21, 3, 3, 0, 2, 2, 112});
            }
        }
        assertThat(hop.origin().connections()).isEqualTo(connections);
        assertThat(hop.entries("used")).noneMatch(entry -> entry.contains("CONNECT") && entry.contains("evil"));
        for (String why : List.of("another TLS server name", "no TLS server name", "encrypted ClientHello")) {
            assertThat(hop.entries("refused")).anyMatch(entry -> entry.contains("misdirected") && entry.contains(why));
        }
    }

    @Test
    void other_spellings_of_the_host_are_the_host_and_bytes_behind_the_connect_are_not_lost() {
        hop.connected("RAW.up.test.", hop.token("raw"))
                .tls(
                        hop.authority().clientContext(),
                        "raw.up.test",
                        hop.origin().port())
                .send(text("GET /x", "raw.up.test"))
                .read();
        try (RawClient eager = hop.connect()) {
            eager.send(text("CONNECT " + hop.host("raw.up.test"), hop.host("raw.up.test"), shows(hop.token("raw")))
                    + new String(ClientHellos.of("raw.up.test", false), StandardCharsets.ISO_8859_1));
            assertThat(eager.head()).startsWith("HTTP/1.1 200");
            assertThat(first(eager))
                    .as("a handshake record or an alert of the origin's")
                    .isIn(21, 22);
        }
    }

    private static int first(RawClient agent) {
        try {
            return agent.input().read();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_destination_at_an_address_that_no_document_names_is_refused_before_it_is_dialled() {
        int connections = hop.origin().connections();
        Grant grant = hop.grant("inside");
        assertThatThrownBy(() -> through("inside.up.test", hop.token(grant))).hasStackTraceContaining("access_denied");
        assertThat(hop.origin().connections()).isEqualTo(connections);
        assertThat(entry("outcome", grant.id())).contains("address_forbidden");
    }

    @Test
    void a_revocation_cuts_a_tunnel_in_both_directions() {
        Grant grant = hop.grant("raw");
        try (RawClient agent = through("raw.up.test", hop.token(grant))) {
            agent.send(text("GET /x", "raw.up.test")).read();

            List<Grant> ended = hop.room(Grants.class).endInMemory(List.of(grant), EndReason.REVOKED);
            assertThat(hop.flows().cut(ended)).isEqualTo(1);

            assertThatThrownBy(
                            () -> agent.send(text("GET /after", "raw.up.test")).read())
                    .isInstanceOf(RuntimeException.class);
        }
        assertThat(entry("outcome", grant.id())).contains("\"outcome\":\"cut\"");
        assertThat(hop.origin().received()).noneMatch(seen -> seen.requestLine().contains("after"));
        assertThat(hop.flows().running()).isZero();
    }

    @Test
    void a_narrower_rule_book_cuts_it() {
        Grant grant = hop.grant("raw");
        try (RawClient agent = through("raw.up.test", hop.token(grant))) {
            agent.send(text("GET /x", "raw.up.test")).read();
            hop.document("policies/fixer.yml", POLICY.replace("https://raw.up.test", "https://moved.up.test"));
            hop.reload();
            assertThatThrownBy(
                            () -> agent.send(text("GET /after", "raw.up.test")).read())
                    .isInstanceOf(RuntimeException.class);
        } finally {
            hop.document("policies/fixer.yml", POLICY);
            hop.reload();
        }
        assertThat(hop.origin().received()).noneMatch(seen -> seen.requestLine().contains("after"));
    }

    @Test
    void the_bytes_of_one_tunnel_are_limited_and_those_of_the_task_are_counted() {
        Grant grant = hop.grant("little");
        try (RawClient agent = through("little.up.test", hop.token(grant))) {
            agent.send(text("GET /x", "little.up.test")).read();
            assertThatThrownBy(() -> {
                        String large = "x".repeat(128 * 1024);
                        agent.send(text("POST /large", "little.up.test", "Content-Length: " + large.length()) + large);
                        agent.read();
                    })
                    .isInstanceOf(RuntimeException.class);
        }
        assertThat(hop.origin().received()).noneMatch(seen -> seen.requestLine().contains("large"));
        assertThat(entry("outcome", grant.id())).contains("body_too_large");
    }

    @Test
    void such_a_host_takes_no_request_that_would_have_to_be_read() {
        String token = hop.token("raw");
        try (RawClient agent = hop.connect()) {
            RawClient.Answer answer = agent.send(
                            text("GET https://" + hop.host("raw.up.test") + "/x", "raw.up.test", shows(token)))
                    .read();
            assertThat(answer.status()).isEqualTo(403);
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    @Test
    void without_the_scope_the_connect_is_refused() {
        try (RawClient agent = hop.connect()) {
            assertThat(agent.send(text("CONNECT " + hop.host("raw.up.test"), "x", shows(hop.token("read"))))
                            .read()
                            .status())
                    .isEqualTo(403);
        }
    }
}
