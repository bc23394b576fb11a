package io.sallyport.proxy.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sallyport.testing.TestStore;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others' verifiers say of a leaf: OpenSSL's and Python's, each in its strict mode. */
class StrictVerifiersTest {

    private static final List<String> HOSTS = List.of(
            "api.example.com", "192.0.2.7", "2001:db8::1", "localhost", "a_b.example.org", MintedLeavesTest.LONG_HOST);

    private static final SignableNames NAMES = new SignableNames(
            Set.of("192.0.2.7", "2001:db8::1", MintedLeavesTest.LONG_HOST, "localhost", "a_b.example.org"),
            Set.of("example.com"));

    @TempDir
    Path folder;

    private final Clock clock = Clock.systemUTC();
    private final TestStore store = TestStore.started();
    private final InterceptionAuthority authority =
            InterceptionAuthority.open(Chains.in(store), () -> NAMES, Lifetimes.USUAL, clock);
    private final MintedLeaves leaves = new MintedLeaves(authority, clock, 100);
    private Path ca;

    @BeforeEach
    void writeRoot() throws IOException {
        ca = Files.writeString(folder.resolve("ca.pem"), authority.pem());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void openssl_in_strict_mode_accepts_every_kind_of_leaf() throws Exception {
        needs("openssl", "version");
        for (String host : HOSTS) {
            String option = host.matches("[0-9.]+|.*:.*") ? "-verify_ip" : "-verify_hostname";
            assertThat(openssl(host, option, host)).contains(": OK");
        }
    }

    @Test
    void openssl_accepts_a_leaf_on_a_clock_that_lags_twenty_hours() throws Exception {
        needs("openssl", "version");
        long then = clock.instant().minus(Duration.ofHours(20)).getEpochSecond();

        assertThat(openssl("api.example.com", "-attime", Long.toString(then))).contains(": OK");
    }

    @Test
    void openssl_refuses_the_leaf_under_another_name() throws Exception {
        needs("openssl", "version");
        assertThat(openssl("api.example.com", "-verify_hostname", "www.example.com"))
                .contains("ostname mismatch");
    }

    @Test
    void openssl_holds_an_intermediate_to_its_one_name() throws Exception {
        needs("openssl", "version");
        for (String host : List.of("192.0.2.7", "2001:db8::1", "localhost")) {
            Issuer issuer = authority.issuer(host);
            for (String other : List.of("www.example.net", "192.0.2.8", "2001:db8::2")) {
                X509Certificate forged =
                        authority.leaf(other, Certificates.newKeys().getPublic(), issuer);
                assertThat(verify(List.of(forged, issuer.certificate())))
                        .as(other + " by the intermediate for " + host)
                        .containsAnyOf("permitted subtree violation", "excluded subtree violation");
            }
        }
    }

    @Test
    void node_connects_to_a_server_with_the_leaf() throws Exception {
        needs("node", "--version");
        String script = """
                const [ca, port, host] = process.argv.slice(1);
                const socket = require('tls').connect(
                    {host: '127.0.0.1', port, servername: host, ca: require('fs').readFileSync(ca)},
                    () => { console.log('connected', socket.authorized); socket.end(); });
                socket.on('error', fault => { console.log(fault.message); });
                """;
        for (String host : List.of("api.example.com", "localhost", MintedLeavesTest.LONG_HOST)) {
            try (SSLServerSocket server = serve(leaves.leaf(host))) {
                Thread.ofVirtual().start(() -> handshakeOnce(server));
                String port = Integer.toString(server.getLocalPort());
                assertThat(run("node", "-e", script, ca.toString(), port, host)).contains("connected true");
            }
        }
    }

    /** Java's own client, host name and all; its parser of certificates is stricter about names than others are. */
    @Test
    void java_connects_to_a_server_with_the_leaf() throws Exception {
        for (String host : List.of("api.example.com", "localhost", MintedLeavesTest.LONG_HOST)) {
            try (SSLServerSocket server = serve(leaves.leaf(host))) {
                Thread.ofVirtual().start(() -> handshakeOnce(server));
                try (var plain = new java.net.Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
                        var tls = (javax.net.ssl.SSLSocket)
                                trusting().getSocketFactory().createSocket(plain, host, server.getLocalPort(), true)) {
                    var parameters = tls.getSSLParameters();
                    parameters.setEndpointIdentificationAlgorithm("HTTPS");
                    tls.setSSLParameters(parameters);
                    tls.startHandshake();
                    assertThat(tls.getSession().getPeerCertificates()).hasSize(2);
                }
            }
        }
    }

    private SSLContext trusting() throws Exception {
        KeyStore roots = KeyStore.getInstance("PKCS12");
        roots.load(null, null);
        roots.setCertificateEntry("root", Chains.read(authority.pem()).getFirst());
        var managers = javax.net.ssl.TrustManagerFactory.getInstance("PKIX");
        managers.init(roots);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    @Test
    void python_in_strict_mode_connects_to_a_server_with_the_leaf() throws Exception {
        needs("python3", "--version");
        String script = """
                import socket, ssl, sys
                context = ssl.create_default_context(cafile=sys.argv[1])
                context.verify_flags |= ssl.VERIFY_X509_STRICT
                with socket.create_connection(("127.0.0.1", int(sys.argv[2]))) as plain:
                    with context.wrap_socket(plain, server_hostname=sys.argv[3]) as tls:
                        print("connected", tls.version())
                """;
        for (String host : List.of("api.example.com", MintedLeavesTest.LONG_HOST)) {
            try (SSLServerSocket server = serve(leaves.leaf(host))) {
                Thread.ofVirtual().start(() -> handshakeOnce(server));
                String port = Integer.toString(server.getLocalPort());
                assertThat(run("python3", "-c", script, ca.toString(), port, host))
                        .contains("connected TLSv1.3");
            }
        }
    }

    private String openssl(String host, String... more) throws Exception {
        return verify(leaves.leaf(host).chain(), more);
    }

    private String verify(List<X509Certificate> chain, String... more) throws Exception {
        Path leaf = Files.writeString(folder.resolve("leaf.pem"), Certificates.pem(chain.subList(0, 1)));
        Path above = Files.writeString(folder.resolve("above.pem"), Certificates.pem(chain.subList(1, chain.size())));
        var command = new java.util.ArrayList<>(List.of(
                "openssl",
                "verify",
                "-x509_strict",
                "-purpose",
                "sslserver",
                "-CAfile",
                ca.toString(),
                "-untrusted",
                above.toString()));
        command.addAll(List.of(more));
        command.add(leaf.toString());
        return run(command.toArray(String[]::new));
    }

    private static SSLServerSocket serve(Leaf leaf) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry("leaf", leaf.key(), new char[0], leaf.chain().toArray(new java.security.cert.Certificate[0]));
        KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
        managers.init(keys, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    private static void handshakeOnce(SSLServerSocket server) {
        try (var socket = server.accept()) {
            socket.getInputStream().read();
        } catch (IOException e) {
            // The client's words are what the test reads.
        }
    }

    /** Absent is a skip on a developer's machine and a failure where everything is meant to run. */
    private static void needs(String... command) {
        boolean present;
        try {
            present = new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException | InterruptedException e) {
            present = false;
        }
        if (!"true".equals(System.getenv("CI"))) {
            assumeTrue(present, command[0] + " is not installed");
        }
        assertThat(present).as(command[0] + " is installed").isTrue();
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
