package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.HopCase;
import io.sallyport.testing.Tools;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** RW-01, RW-03: the leaf that a strict client gets through the hop, in the client's own judgement and under OpenSSL's. */
class StrictClientTest extends HopCase {

    private static final String CLIENT = """
            import socket, ssl, sys
            hop, target, user, authority = sys.argv[1:]
            host = target.rsplit(":", 1)[0]
            context = ssl.create_default_context(cafile=authority)
            context.verify_flags |= ssl.VERIFY_X509_STRICT
            with socket.create_connection(("127.0.0.1", int(hop)), timeout=10) as plain:
                plain.sendall(f"CONNECT {target} HTTP/1.1\\r\\nHost: {target}\\r\\nProxy-Authorization: {user}\\r\\n\\r\\n".encode())
                head = b""
                while not head.endswith(b"\\r\\n\\r\\n"):
                    head += plain.recv(1)
                with context.wrap_socket(plain, server_hostname=host) as tls:
                    tls.sendall(f"GET /v1/strict HTTP/1.1\\r\\nHost: {target}\\r\\nConnection: close\\r\\n\\r\\n".encode())
                    print(tls.makefile("rb").read().decode())
            """;

    @TempDir
    private Path folder;

    private Path authority;
    private Path leaf;
    private Path intermediate;

    @BeforeAll
    void askStrictly(@TempDir Path kept) throws Exception {
        Tools.require("python3", "openssl");
        authority = Files.writeString(
                kept.resolve("ca.pem"), hop.room(InterceptionRoot.class).pem());
        String answer = python();
        assertThat(answer).startsWith("HTTP/1.1 200").endsWith("hello\n");
        List<String> shown = shown();
        assertThat(shown).as("leaf and intermediate").hasSize(2);
        leaf = Files.writeString(kept.resolve("leaf.pem"), shown.getFirst());
        intermediate = Files.writeString(kept.resolve("intermediate.pem"), shown.getLast());
    }

    /** The certificates of the handshake, as OpenSSL's own client prints them. */
    private List<String> shown() {
        Tools.Ran ran = Tools.run(
                authority.getParent(),
                Map.of("TOKEN", hop.token("read")),
                "openssl",
                "s_client",
                "-proxy",
                "127.0.0.1:" + hop.port(),
                "-proxy_user",
                "task",
                "-proxy_pass",
                "env:TOKEN",
                "-connect",
                hop.host("api.up.test"),
                "-servername",
                "api.up.test",
                "-CAfile",
                authority.toString(),
                "-verify_return_error",
                "-x509_strict",
                "-showcerts");
        assertThat(ran.out()).as(ran.err()).contains("Verify return code: 0 (ok)");
        return Pattern.compile("-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----\\n", Pattern.DOTALL)
                .matcher(ran.out())
                .results()
                .map(MatchResult::group)
                .distinct()
                .toList();
    }

    private String python() {
        Tools.Ran ran = Tools.run(
                authority.getParent(),
                Map.of(),
                "python3",
                "-c",
                CLIENT,
                Integer.toString(hop.port()),
                hop.host("api.up.test"),
                io.sallyport.testing.RawClient.basic(hop.token("read")),
                authority.toString());
        assertThat(ran.exit()).as(ran.err()).isZero();
        return ran.out();
    }

    private String openssl(String... more) {
        List<String> command = new java.util.ArrayList<>(List.of(
                "openssl",
                "verify",
                "-x509_strict",
                "-purpose",
                "sslserver",
                "-CAfile",
                authority.toString(),
                "-untrusted",
                intermediate.toString()));
        command.addAll(List.of(more));
        command.add(leaf.toString());
        Tools.Ran ran = Tools.run(folder, Map.of(), command.toArray(String[]::new));
        return ran.out() + ran.err();
    }

    private static X509Certificate read(Path pem) throws Exception {
        try (InputStream in = new ByteArrayInputStream(Files.readString(pem).getBytes(StandardCharsets.US_ASCII))) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    @Test
    void openssl_agrees_in_strict_mode_now_and_on_a_clock_that_lags_twenty_hours() {
        assertThat(openssl("-verify_hostname", "api.up.test")).contains(": OK");
        long then = Instant.now().minus(Duration.ofHours(20)).getEpochSecond();
        assertThat(openssl("-attime", Long.toString(then))).contains(": OK");
    }

    @Test
    void leaf_intermediate_and_authority_have_the_extensions_that_strict_clients_ask_for() throws Exception {
        var shown = new JcaX509CertificateHolder(read(leaf));
        var above = new JcaX509CertificateHolder(read(intermediate));
        assertThat(read(leaf).getSubjectAlternativeNames()).containsExactly(List.of(2, "api.up.test"));
        assertThat(read(leaf).getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(shown.getSerialNumber()).isPositive();
        assertThat(SubjectKeyIdentifier.fromExtensions(shown.getExtensions())).isNotNull();
        assertThat(AuthorityKeyIdentifier.fromExtensions(shown.getExtensions()).getKeyIdentifierOctets())
                .isEqualTo(SubjectKeyIdentifier.fromExtensions(above.getExtensions())
                        .getKeyIdentifier());
        assertThat(read(intermediate).getBasicConstraints()).isZero();
        assertThat(above.getExtension(Extension.nameConstraints).isCritical()).isTrue();
        var root = new JcaX509CertificateHolder(read(authority));
        assertThat(root.getExtension(Extension.basicConstraints).isCritical()).isTrue();
        assertThat(read(authority).getBasicConstraints()).isNotNegative();
        assertThat(read(authority).getKeyUsage()[5]).as("keyCertSign").isTrue();
    }

    @Test
    void the_leaf_begins_a_day_ago_ends_within_398_days_and_never_after_its_authority() throws Exception {
        X509Certificate shown = read(leaf);
        assertThat(shown.getNotBefore().toInstant())
                .isBeforeOrEqualTo(Instant.now().minus(Duration.ofHours(24)));
        assertThat(Duration.between(
                        shown.getNotBefore().toInstant(), shown.getNotAfter().toInstant()))
                .isLessThan(Duration.ofDays(398));
        assertThat(shown.getNotAfter()).isBeforeOrEqualTo(read(intermediate).getNotAfter());
        assertThat(read(intermediate).getNotAfter())
                .isBeforeOrEqualTo(read(authority).getNotAfter());
    }

    /** The gateway in TLS shows a leaf for the hop itself. */
    @Test
    void the_hops_own_leaf_passes_openssl_in_strict_mode_too() {
        Tools.Ran ran = Tools.run(
                folder,
                Map.of(),
                "openssl",
                "s_client",
                "-connect",
                "127.0.0.1:" + hop.port(),
                "-servername",
                "localhost",
                "-verify_hostname",
                "localhost",
                "-CAfile",
                authority.toString(),
                "-verify_return_error",
                "-x509_strict");
        assertThat(ran.out()).as(ran.err()).contains("Verify return code: 0 (ok)");
    }
}
