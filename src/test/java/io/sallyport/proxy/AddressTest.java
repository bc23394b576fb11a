package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.net.OwnPorts;
import io.sallyport.rules.RuleBooks;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** RW-61: addresses that no agent is to reach, as literals and behind names, in every mode. A listener on them hears nothing. */
class AddressTest extends HopCase {

    /** As a CONNECT and an absolute-form target write them. */
    static final List<String> RESERVED = List.of(
            "169.254.169.254",
            "[::ffff:169.254.169.254]",
            "[::ffff:a9fe:a9fe]",
            "[fd00:ec2::254]",
            "0.0.0.0",
            "127.0.0.1",
            "[::1]",
            "[::]",
            "10.0.0.1",
            "[fe80::1]",
            "100.64.0.1",
            "[64:ff9b::a9fe:a9fe]",
            "[::ffff:127.0.0.1]");

    /** A name for any address, another name for the metadata service, and two literals; none may be dialled. */
    private static final String POLICY = """
            sallyport: v1
            policy: fixer
            owner: team@example.com
            reason: Names hosts that answer with forbidden addresses
            review-by: 2099-01-01
            who: [{identity: ci, subject: agent-1}]
            task: {ttl: 15min, uses: 1000, bytes-out: 1GiB, binding: address}
            scopes:
              named:
                reason: A name that answers with whatever the test says
                destination: https://named.up.test:${quiet}
                allow: ["GET /**"]
                credential: none
              clear:
                reason: The same in the clear
                destination: http://clear.up.test:${quiet}
                allow: ["GET /**"]
                credential: none
              metadata:
                reason: A name that clouds serve
                destination: http://metadata.google.internal
                allow: ["GET /**"]
                credential: none
              literal:
                reason: A literal whose document names another range
                destination: {url: "http://169.254.169.254", addresses: [10.1.0.0/16]}
                allow: ["GET /**"]
                credential: none
            """;

    private ServerSocketChannel quiet;

    @BeforeAll
    void listen() throws IOException {
        quiet = ServerSocketChannel.open();
        quiet.configureBlocking(false);
        quiet.bind(new InetSocketAddress(InetAddress.getByName("::"), 0));
        document("policies/fixer.yml", POLICY);
    }

    @AfterAll
    void closeListener() throws IOException {
        quiet.close();
    }

    private void document(String place, String text) {
        hop.document(place, text.replace("${quiet}", Integer.toString(port())));
        assertThat(hop.reload()).isInstanceOf(RuleBooks.Reload.Swapped.class);
    }

    private int port() {
        return quiet.socket().getLocalPort();
    }

    @ParameterizedTest
    @FieldSource("RESERVED")
    void a_reserved_literal_is_refused_at_once_and_nobody_hears_of_it(String literal) {
        RawClient.Answer tunnel = atOnce(() -> connect(literal + ":" + port(), "named"));
        assertThat(tunnel.status()).isEqualTo(403);
        assertThat(tunnel.text()).contains("destination_not_allowed");
        RawClient.Answer absolute = atOnce(() -> absolute("http://" + literal + ":" + port() + "/", "clear"));
        assertThat(absolute.status()).isEqualTo(403);
        assertThat(absolute.text()).contains("destination_not_allowed");
        nobodyHeard();
    }

    @ParameterizedTest
    @FieldSource("RESERVED")
    void a_name_that_resolves_to_it_is_refused_in_every_mode(String literal) {
        String address = literal.replace("[", "").replace("]", "");
        hop.names().answer("named.up.test", address);
        hop.names().answer("clear.up.test", address);
        forbidden(atOnce(this::inside));
        forbidden(atOnce(() -> absolute("http://clear.up.test:" + port() + "/", "clear")));
        forbidden(atOnce(() -> gateway("named")));
        forbidden(atOnce(() -> gateway("clear")));
        hop.names().answer("named.up.test", "93.184.215.14", address);
        forbidden(atOnce(() -> gateway("named")));
        nobodyHeard();
    }

    @Test
    void the_clouds_name_for_its_metadata_is_a_name_like_any_other() {
        hop.names().answer("metadata.google.internal", "169.254.169.254");
        forbidden(atOnce(() -> absolute("http://metadata.google.internal/computeMetadata/v1/", "metadata")));
        assertThat(atOnce(() -> connect("metadata.google.internal:443", "named"))
                        .status())
                .isEqualTo(403);
    }

    @Test
    void a_literal_that_its_document_does_not_cover_gets_the_same_answer_as_a_name() {
        hop.names().answer("169.254.169.254", "169.254.169.254");
        forbidden(atOnce(() -> absolute("http://169.254.169.254/latest/meta-data/", "literal")));
        forbidden(atOnce(() -> gateway("literal")));
    }

    @Test
    void a_document_that_names_loopback_opens_it_and_never_a_door_of_the_broker() {
        assertThat(hop.room(OwnPorts.class).contains(hop.port())).isTrue();
        try (TestHop other = TestHop.start()) {
            other.document("policies/fixer.yml", """
                    sallyport: v1
                    policy: fixer
                    owner: team@example.com
                    reason: Reaches for the broker itself
                    review-by: 2099-01-01
                    who: [{identity: ci, subject: agent-1}]
                    task: {ttl: 15min, uses: 1000, bytes-out: 1GiB, binding: address}
                    scopes:
                      self:
                        reason: The hop, under a name and in the clear
                        destination: {url: "http://self.up.test:%d", addresses: [127.0.0.0/8, "::1/128", 0.0.0.0/8]}
                        allow: ["GET /**"]
                        credential: none
                    """.formatted(other.port()));
            assertThat(other.reload()).isInstanceOf(RuleBooks.Reload.Swapped.class);
            for (String address : List.of("127.0.0.1", "127.0.0.2", "::1", "0.0.0.0", "::ffff:127.0.0.1")) {
                other.names().answer("self.up.test", address);
                try (RawClient agent = other.connect()) {
                    forbidden(agent.send(text(
                                    "GET http://self.up.test:" + other.port() + "/gateway/fixer:self/",
                                    "x",
                                    shows(other.token("self"))))
                            .read());
                }
            }
        }
    }

    private RawClient.Answer connect(String authority, String scope) {
        try (RawClient agent = hop.connect()) {
            return agent.send(text("CONNECT " + authority, "x.test", shows(hop.token(scope))))
                    .read();
        }
    }

    private RawClient.Answer absolute(String target, String scope) {
        try (RawClient agent = hop.connect()) {
            return agent.send(text("GET " + target, "x.test", shows(hop.token(scope))))
                    .read();
        }
    }

    private RawClient.Answer gateway(String scope) {
        try (RawClient agent = hop.connect()) {
            return agent.send(text("GET /gateway/fixer:" + scope + "/", "x.test", "x-api-key: " + hop.token(scope)))
                    .read();
        }
    }

    private RawClient.Answer inside() {
        String authority = "named.up.test:" + port();
        try (RawClient agent = hop.connect()) {
            agent.send(text("CONNECT " + authority, "x.test", shows(hop.token("named"))));
            assertThat(agent.head()).startsWith("HTTP/1.1 200");
            return agent.tls(hop.trust(), "named.up.test", port())
                    .send(text("GET /", authority))
                    .read();
        }
    }

    /** Under a second: a client that asks for its cloud's metadata must not hang. */
    private static RawClient.Answer atOnce(Supplier<RawClient.Answer> asked) {
        long before = System.nanoTime();
        RawClient.Answer answer = asked.get();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
        return answer;
    }

    private static void forbidden(RawClient.Answer answer) {
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.text()).contains("address_forbidden").doesNotContain("\"ledger\":null");
        assertThat(answer.field("Proxy-Status").getFirst()).contains("destination_ip_prohibited");
    }

    private void nobodyHeard() {
        try {
            assertThat(quiet.accept()).as("a connection to a forbidden address").isNull();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
