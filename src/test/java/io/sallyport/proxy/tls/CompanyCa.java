package io.sallyport.proxy.tls;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A company's own CA, of any rank, as others make them; good or spoilt. */
record CompanyCa(X509Certificate certificate, KeyPair keys) {

    private static int serials = 1;

    /** What a certificate says; a negative path length stands for none. */
    record Shape(boolean ca, int pathLength, int usage, boolean clientsOnly, Instant from, Instant until) {

        static Shape until(Instant from, Duration life) {
            return new Shape(true, -1, KeyUsage.keyCertSign, false, from, from.plus(life));
        }

        Shape withPathLength(int most) {
            return new Shape(ca, most, usage, clientsOnly, from, until);
        }

        Shape notCa() {
            return new Shape(false, -1, KeyUsage.digitalSignature, clientsOnly, from, until);
        }

        Shape withUsage(int other) {
            return new Shape(ca, pathLength, other, clientsOnly, from, until);
        }

        Shape forClients() {
            return new Shape(ca, pathLength, usage, true, from, until);
        }
    }

    static CompanyCa root(Shape shape) {
        KeyPair keys = keys("EC", 256);
        return new CompanyCa(certificate("Company Root", keys, "Company Root", keys.getPrivate(), keys, shape), keys);
    }

    CompanyCa below(String name, Shape shape) {
        return below(name, shape, keys("EC", 256));
    }

    CompanyCa below(String name, Shape shape, KeyPair own) {
        String issuer = certificate.getSubjectX500Principal().getName().substring("CN=".length());
        return new CompanyCa(certificate(name, own, issuer, keys.getPrivate(), keys, shape), own);
    }

    static KeyPair keys(String algorithm, int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (java.security.GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    String keyPem() {
        return "-----BEGIN PRIVATE KEY-----\n"
                + java.util.Base64.getMimeEncoder(64, new byte[] {'\n'})
                        .encodeToString(keys.getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
    }

    String certificatePem() {
        return pem(certificate);
    }

    private static String pem(Object part) {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(part);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return text.toString();
    }

    private static X509Certificate certificate(
            String name, KeyPair own, String issuer, PrivateKey signer, KeyPair signers, Shape shape) {
        try {
            var draft = new JcaX509v3CertificateBuilder(
                            new X500Name("CN=" + issuer),
                            BigInteger.valueOf(serials++),
                            Date.from(shape.from()),
                            Date.from(shape.until()),
                            new X500Name("CN=" + name),
                            own.getPublic())
                    .addExtension(
                            Extension.basicConstraints,
                            true,
                            shape.ca() && shape.pathLength() >= 0
                                    ? new BasicConstraints(shape.pathLength())
                                    : new BasicConstraints(shape.ca()))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(shape.usage()))
                    .addExtension(
                            Extension.subjectKeyIdentifier,
                            false,
                            // In a way of its own (RFC 7093 section 2): what signs below has to say it as it stands
                            // here.
                            new org.bouncycastle.asn1.x509.SubjectKeyIdentifier(java.util.Arrays.copyOf(
                                    java.security.MessageDigest.getInstance("SHA-256")
                                            .digest(own.getPublic().getEncoded()),
                                    20)));
            if (own != signers) {
                draft.addExtension(
                        Extension.authorityKeyIdentifier,
                        false,
                        new org.bouncycastle.asn1.x509.AuthorityKeyIdentifier(java.util.Arrays.copyOf(
                                java.security.MessageDigest.getInstance("SHA-256")
                                        .digest(signers.getPublic().getEncoded()),
                                20)));
            }
            if (shape.clientsOnly()) {
                draft.addExtension(
                        Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth));
            }
            return Certificates.read(
                    draft.build(new JcaContentSignerBuilder(Certificates.algorithm(signer)).build(signer))
                            .getEncoded());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
