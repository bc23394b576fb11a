package io.sallyport.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** A certificate authority for tests, and the server certificates that it issues. */
public final class TestCertificates {

    private static final AtomicLong SERIALS = new AtomicLong(1);
    private static final char[] PASSWORD = new char[0];

    /** @param chain the server's own certificate first */
    public record Issued(KeyPair keys, X509Certificate... chain) {

        /** For a server that shows this certificate. */
        public SSLContext serverContext() {
            return serverContext(null);
        }

        /** @param clients whose certificates it takes; null for none */
        public SSLContext serverContext(@Nullable TestCertificates clients) {
            try {
                KeyStore store = KeyStore.getInstance("PKCS12");
                store.load(null, null);
                store.setKeyEntry("server", keys.getPrivate(), PASSWORD, chain);
                KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                managers.init(store, PASSWORD);
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(
                        managers.getKeyManagers(),
                        clients == null
                                ? null
                                : TestCertificates.managers(clients.root).getTrustManagers(),
                        null);
                return context;
            } catch (GeneralSecurityException | IOException e) {
                throw new IllegalStateException(e);
            }
        }

        /** The chain and the key, as a secret holds them. */
        public String pem() {
            StringBuilder text = new StringBuilder();
            try {
                for (X509Certificate certificate : chain) {
                    text.append(TestCertificates.pem("CERTIFICATE", certificate.getEncoded()));
                }
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
            return text + TestCertificates.pem("PRIVATE KEY", keys.getPrivate().getEncoded());
        }
    }

    private static String pem(String what, byte[] der) {
        return "-----BEGIN " + what + "-----\n"
                + java.util.Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END " + what
                + "-----\n";
    }

    private static TrustManagerFactory managers(X509Certificate root) throws GeneralSecurityException, IOException {
        KeyStore roots = KeyStore.getInstance("PKCS12");
        roots.load(null, null);
        roots.setCertificateEntry("root", root);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(roots);
        return trust;
    }

    private final KeyPair keys;
    private final X509Certificate root;

    private TestCertificates(KeyPair keys, X509Certificate root) {
        this.keys = keys;
        this.root = root;
    }

    public static TestCertificates authority() {
        KeyPair keys = keyPair();
        X500Name name = new X500Name("CN=Test Root " + SERIALS.get());
        var builder = builder(name, name, keys, 0, 365);
        try {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            return new TestCertificates(keys, signed(builder, keys));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param names DNS names (wildcards too) or IP addresses */
    public Issued issue(String... names) {
        return issue(-1, 30, names);
    }

    /** A certificate whose time was over yesterday. */
    public Issued issueExpired(String... names) {
        return issue(-10, -1, names);
    }

    private Issued issue(int fromDays, int toDays, String... names) {
        KeyPair server = keyPair();
        GeneralName[] alternatives = new GeneralName[names.length];
        for (int i = 0; i < names.length; i++) {
            boolean address = names[i].matches("[0-9.]+|.*:.*");
            alternatives[i] = new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, names[i]);
        }
        var builder = builder(
                new X500Name(root.getSubjectX500Principal().getName()),
                new X500Name("CN=" + names[0]),
                server,
                fromDays,
                toDays);
        try {
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(alternatives));
            return new Issued(server, signed(builder, keys), root);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public X509Certificate root() {
        return root;
    }

    public String rootPem() {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
            pem.writeObject(root);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** @return the file, for settings that want one */
    public Path writeRoot(Path file) {
        try {
            return Files.writeString(file, rootPem());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For a client that trusts this authority and no other. */
    public SSLContext clientContext() {
        return trusting(root);
    }

    /** For a client that trusts the one certificate in this file, PEM. */
    public static SSLContext trusting(Path pem) {
        try (InputStream in = Files.newInputStream(pem)) {
            return trusting(
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SSLContext trusting(X509Certificate root) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers(root).getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyPair keyPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JcaX509v3CertificateBuilder builder(
            X500Name issuer, X500Name subject, KeyPair keys, int fromDays, int toDays) {
        Instant now = Instant.now();
        return new JcaX509v3CertificateBuilder(
                issuer,
                BigInteger.valueOf(SERIALS.getAndIncrement()),
                Date.from(now.plus(fromDays, ChronoUnit.DAYS).minusSeconds(60)),
                Date.from(now.plus(toDays, ChronoUnit.DAYS)),
                subject,
                keys.getPublic());
    }

    private static X509Certificate signed(JcaX509v3CertificateBuilder builder, KeyPair signer) {
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer.getPrivate())));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }
}
