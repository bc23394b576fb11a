package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.Grant;
import io.sallyport.testing.ClientHellos;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RW-65: one host, many spellings; and names as long as a name may be (RW-02). */
class HostSpellingTest extends HopCase {

    /** 77 characters: more than a common name holds. */
    private static final String LONG = "a-long-bucket-name-for-agent-uploads.0123456789abcdef0123456789abcdef.up.test";

    /** An alert of TLS, fatal (RFC 6066 section 3). */
    private static final byte[] UNRECOGNIZED_NAME = {21, 3, 3, 0, 2, 2, 112};

    private static final String POLICY = """
            sallyport: v1
            policy: fixer
            owner: team@example.com
            reason: Names hosts
            review-by: 2099-01-01
            who: [{identity: ci, subject: agent-1}]
            task: {ttl: 15min, uses: 1000, bytes-out: 1GiB, binding: address}
            scopes:
              read:
                reason: One host
                destination: {url: "https://api.up.test:${tls}", addresses: [127.0.0.0/8]}
                allow: ["GET /v1/**"]
                credential: up
              many:
                reason: One label below
                destination: {url: "https://*.blob.up.test:${tls}", addresses: [127.0.0.0/8]}
                allow: ["GET /**"]
                credential: none
              idn:
                reason: A name with an umlaut
                destination: {url: "https://bücher.up.test:${tls}", addresses: [127.0.0.0/8]}
                allow: ["GET /**"]
                credential: none
              long:
                reason: A name longer than a common name
                destination: {url: "https://LONG:${tls}", addresses: [127.0.0.0/8]}
                allow: ["GET /**"]
                credential: none
              usual:
                reason: The usual port, where nobody is
                destination: {url: "https://usual.up.test", addresses: [127.0.0.0/8]}
                allow: ["GET /**"]
                credential: none
              plain:
                reason: In the clear
                destination: {url: "http://plain.up.test:${plain}", addresses: [127.0.0.0/8]}
                allow: ["GET /**"]
                credential: none
            """.replace("LONG", LONG);

    @Override
    protected TestHop startHop() {
        TestCertificates authority = TestCertificates.authority();
        return TestHop.startWith(
                authority, authority.issue("*.up.test", "*.blob.up.test", "xn--bcher-kva.up.test", LONG), POLICY);
    }

    private RawClient.Answer connect(byte[] host, int port) {
        String token = hop.token("read", "many", "idn", "long");
        try (RawClient agent = hop.connect()) {
            agent.send("CONNECT ")
                    .send(host)
                    .send(":" + port + " HTTP/1.1\r\nHost: x.test\r\n" + shows(token) + "\r\n\r\n");
            String head = agent.head();
            return new RawClient.Answer(head, new byte[0], "");
        }
    }

    private int connect(String host) {
        return connect(host.getBytes(UTF_8), hop.origin().port()).status();
    }

    private RawClient.Answer get(String host, String path, String scope) {
        try (RawClient agent = hop.tunnel(host, hop.token(scope))) {
            return agent.send(text("GET " + path, hop.host(host))).read();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"API.up.TEST", "api.up.test.", "aPi.Up.test."})
    void case_and_a_trailing_dot_make_no_other_host(String spelling) {
        try (RawClient agent = hop.connect()) {
            agent.send(text("CONNECT " + spelling + ":" + hop.origin().port(), "x.test", shows(hop.token("read"))));
            assertThat(agent.head()).startsWith("HTTP/1.1 200");
            RawClient inside =
                    agent.tls(hop.trust(), "api.up.test", hop.origin().port());
            assertThat(inside.send(text(
                                    "GET /v1/spelt",
                                    spelling + ":" + hop.origin().port()))
                            .read()
                            .status())
                    .isEqualTo(200);
        }
        TestOrigin.Received seen = hop.origin().received().getFirst();
        assertThat(seen.field("Host")).containsExactly(hop.host("api.up.test"));
        assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
        assertThat(hop.entries("used"))
                .filteredOn(entry -> entry.contains("/v1/spelt"))
                .allMatch(entry -> entry.contains("https://" + hop.host("api.up.test")));
    }

    /** Without TLS Host alone says it; in TLS the server name does as well, and there no dot can end it (RFC 6066 section 3). */
    @ParameterizedTest
    @ValueSource(strings = {"API.up.TEST", "api.up.test.", "aPi.Up.test."})
    void case_and_a_trailing_dot_make_no_other_host_where_nobody_knows_of_the_hop(String spelling) {
        Grant grant = hop.ledGrant("read", "plain");
        int port = hop.origin().port();
        String name = spelling.endsWith(".") ? spelling.substring(0, spelling.length() - 1) : spelling;
        try (RawClient agent = hop.led(grant, port).tls(hop.trust(), name, port)) {
            agent.send(text("GET /v1/spelt-led", spelling + ":" + port));
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(hop.origin().received().getFirst().field("Host")).containsExactly(hop.host("api.up.test"));
        int plain = hop.plainOrigin().port();
        try (RawClient agent = hop.led(grant, plain)) {
            agent.send(text("GET /x", spelling.replaceFirst("(?i)api", "Plain") + ":" + plain));
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(hop.plainOrigin().received().getFirst().field("Host"))
                .containsExactly(hop.plainHost("plain.up.test"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evilapi.up.test",
                "api.up.test.evil.test",
                "blob.up.test",
                "x.y.blob.up.test",
                "xblob.up.test",
                "xn--pi-7kc.up.test",
                "up.test",
                "test"
            })
    void look_alikes_are_refused_before_their_name_is_resolved(String host) {
        int asked = hop.names().asked().size();
        assertThat(connect(host)).isEqualTo(403);
        assertThat(hop.names().asked()).hasSize(asked);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"evilapi.up.test", "api.up.test.evil.test", "x.y.blob.up.test", "xn--pi-7kc.up.test", "test"})
    void look_alikes_are_refused_where_nobody_knows_of_the_hop(String host) throws IOException {
        int asked = hop.names().asked().size();
        Grant grant = hop.ledGrant("read", "many", "plain");
        assertThat(toHello(grant, host)).isEqualTo(UNRECOGNIZED_NAME);
        assertThat(toHost(grant, host)).isEqualTo(403);
        assertThat(hop.names().asked()).hasSize(asked);
    }

    private byte[] toHello(Grant grant, String serverName) throws IOException {
        try (RawClient agent = hop.led(grant, hop.origin().port())) {
            return agent.send(ClientHellos.of(serverName)).input().readAllBytes();
        }
    }

    private int toHost(Grant grant, String host) {
        int port = hop.plainOrigin().port();
        try (RawClient agent = hop.led(grant, port)) {
            return agent.send(text("GET /", host + ":" + port)).read().status();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "api.up.test%00.evil.test",
                "api.up.test%2eevil.test",
                "аpi.up.test",
                "bücher.up.test",
                "api.up.test\\.evil.test",
                "api.up.test@evil.test",
                "user@api.up.test",
                "api..up.test",
                ".api.up.test",
                "api.up.test..",
                "127.1",
                "2130706433",
                "0x7f.0.0.1",
                "0177.0.0.1",
                "[::1%25lo]",
                "[127.0.0.1]"
            })
    void what_is_no_host_name_is_malformed_and_names_nobody(String host) {
        assertThat(connect(host)).as(host).isEqualTo(400);
        try (RawClient agent = hop.connect()) {
            agent.send(("GET http://" + host + ":" + hop.plainOrigin().port() + "/ HTTP/1.1\r\nHost: x.test\r\n"
                            + shows(hop.token("plain")) + "\r\n\r\n")
                    .getBytes(UTF_8));
            assertThat(agent.read().status()).as(host).isEqualTo(400);
        }
        assertThat(hop.origin().received()).isEmpty();
        assertThat(hop.plainOrigin().received()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain.up.test%00.evil.test",
                "plain.up.test\\.evil.test",
                "user@plain.up.test",
                "plain..up.test",
                "plain.up.test..",
                "127.1",
                "0x7f.0.0.1",
                "[::1%25lo]"
            })
    void what_is_no_host_name_names_nobody_where_nobody_knows_of_the_hop(String host) throws IOException {
        Grant grant = hop.ledGrant("read", "plain");
        assertThat(toHello(grant, host)).isEqualTo(UNRECOGNIZED_NAME);
        assertThat(toHost(grant, host)).isEqualTo(400);
        assertThat(hop.plainOrigin().received()).isEmpty();
    }

    @Test
    void a_wildcard_is_one_whole_label() {
        assertThat(get("x.blob.up.test", "/any", "many").status()).isEqualTo(200);
        assertThat(hop.origin().received().getFirst().field("Host")).containsExactly(hop.host("x.blob.up.test"));
    }

    @Test
    void a_document_may_write_an_international_name_and_clients_send_its_ascii_form() {
        assertThat(get("xn--bcher-kva.up.test", "/any", "idn").status()).isEqualTo(200);
        assertThat(hop.entries("used")).anyMatch(entry -> entry.contains("xn--bcher-kva.up.test"));
    }

    @Test
    void another_port_is_another_destination() {
        assertThat(connect("api.up.test".getBytes(StandardCharsets.US_ASCII), 8443)
                        .status())
                .isEqualTo(403);
    }

    /** RW-02. */
    @Test
    void a_name_longer_than_a_common_name_is_served() {
        assertThat(LONG.length()).isGreaterThan(64);
        assertThat(get(LONG, "/in-a-tunnel", "long").status()).isEqualTo(200);
        try (RawClient agent = hop.connect()) {
            agent.send(text("GET /gateway/fixer:long/at-the-gateway", "localhost", "x-api-key: " + hop.token("long")));
            assertThat(agent.read().status()).isEqualTo(200);
        }
        assertThat(hop.origin().received()).hasSize(2);
    }

    /** RW-02. */
    @Test
    void a_name_longer_than_a_common_name_is_served_where_nobody_knows_of_the_hop() {
        try (RawClient agent = hop.led(hop.ledGrant("long"), LONG)) {
            assertThat(agent.send(text("GET /led", hop.host(LONG))).read().status())
                    .isEqualTo(200);
        }
        assertThat(hop.origin().received()).hasSize(1);
    }

    /** RW-02. */
    @Test
    void a_label_over_63_and_a_name_over_253_are_malformed_on_every_listener() {
        String label = "a".repeat(64) + ".up.test";
        String name = "a23456789.".repeat(25) + "up.test";
        assertThat(name.length()).isGreaterThan(253);
        for (String host : new String[] {label, name}) {
            assertThat(connect(host)).isEqualTo(400);
            try (RawClient agent = hop.connect()) {
                RawClient.Answer answer = agent.send(
                                text("GET http://" + host + "/", "x.test", shows(hop.token("plain"))))
                        .read();
                assertThat(answer.status()).isEqualTo(400);
                assertThat(answer.text()).contains("\"error\":\"malformed\"").doesNotContain("Exception");
            }
            try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
                assertThat(agent.send(text("GET /v1/x", host)).read().status()).isIn(400, 421);
            }
        }
        assertThat(hop.origin().received()).isEmpty();
    }

    /** RW-02. */
    @Test
    void a_label_over_63_and_a_name_over_253_are_malformed_where_nobody_knows_of_the_hop() throws IOException {
        Grant grant = hop.ledGrant("read", "plain");
        String label = "a".repeat(64) + ".up.test";
        assertThat(toHello(grant, label)).isEqualTo(UNRECOGNIZED_NAME);
        for (String host : new String[] {label, "a23456789.".repeat(25) + "up.test"}) {
            assertThat(toHost(grant, host)).isEqualTo(400);
        }
        assertThat(hop.plainOrigin().received()).isEmpty();
    }

    /** RW-15: the port that its scheme has anyway makes no other host, written out or not. */
    @ParameterizedTest
    @ValueSource(strings = {"usual.up.test", "usual.up.test:443", "USUAL.up.test.", "usual.up.test.:443"})
    void the_usual_port_may_be_written_out(String host) {
        hop.names().answer("usual.up.test", "127.0.0.99");
        String token = hop.token("usual");
        try (RawClient agent = hop.connect()) {
            agent.send(text("CONNECT usual.up.test:443", "x.test", shows(token)));
            assertThat(agent.head()).startsWith("HTTP/1.1 200");
            RawClient.Answer answer = agent.tls(hop.trust(), "usual.up.test", 443)
                    .send(text("GET /x", host))
                    .read();
            // It was dialled, and nobody is there: the host was not in question.
            assertThat(answer.text()).contains("upstream_refused");
        }
        try (RawClient agent = hop.connect()) {
            agent.send(text("GET https://" + host + "/x", "x.test", shows(token)));
            assertThat(agent.read().text()).contains("upstream_refused");
        }
    }

    @Test
    void another_port_in_host_is_another_host() {
        try (RawClient agent = hop.connect()) {
            agent.send(text("CONNECT usual.up.test:443", "x.test", shows(hop.token("usual"))));
            assertThat(agent.head()).startsWith("HTTP/1.1 200");
            assertThat(agent.tls(hop.trust(), "usual.up.test", 443)
                            .send(text("GET /x", "usual.up.test:8443"))
                            .read()
                            .status())
                    .isEqualTo(421);
        }
    }
}
