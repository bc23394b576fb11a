package io.sallyport.proxy.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.interfaces.RSAKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** The three shapes of certificate that are made here (RFC 5280), as strict verifiers want them: P-256, ECDSA with SHA-256. */
final class Certificates {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int LONGEST_COMMON_NAME = 64;
    private static final X500Name NO_NAME = new X500Name(new RDN[0]);

    private Certificates() {}

    /** Who signs a certificate: an authority of any rank. */
    record Signer(X509Certificate certificate, PrivateKey key) {}

    /** From when until when a certificate holds; X.509 knows whole seconds only, and they are rounded down. */
    record Validity(Instant from, Instant until) {}

    static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java lacks P-256", e);
        }
    }

    /** A self-signed root. Its name carries its key's identifier, so that two brokers' roots in one trust store are told apart. */
    static X509Certificate root(KeyPair keys, Validity validity) {
        try {
            var identifier = new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic());
            String mark = HexFormat.of().formatHex(identifier.getKeyIdentifier(), 0, 4);
            X500Name name = commonName("Sallyport interception CA " + mark);
            X509v3CertificateBuilder draft = draft(name, validity, name, keys.getPublic())
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(1))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
                    .addExtension(Extension.subjectKeyIdentifier, false, identifier);
            return signed(draft, keys.getPrivate());
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the interception CA could not be made", e);
        }
    }

    /**
     * An authority below the root that can sign for one name alone, and only servers: whoever steals its key has that name, for a week.
     *
     * @param constraint a host (or the parent that a wildcard names), or an IP literal
     */
    static X509Certificate intermediate(String constraint, KeyPair keys, Signer signer, Validity validity) {
        try {
            var identifiers = new JcaX509ExtensionUtils();
            var identifier = identifiers.createSubjectKeyIdentifier(keys.getPublic());
            String mark = HexFormat.of().formatHex(identifier.getKeyIdentifier(), 0, 8);
            X500Name name = commonName("Sallyport intermediate " + mark);
            X509v3CertificateBuilder draft = draft(subject(signer.certificate()), validity, name, keys.getPublic())
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
                    .addExtension(
                            Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                    .addExtension(Extension.nameConstraints, true, Constraint.of(constraint))
                    .addExtension(Extension.subjectKeyIdentifier, false, identifier)
                    .addExtension(Extension.authorityKeyIdentifier, false, identifierOf(signer.certificate()));
            return signed(draft, signer.key());
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("no intermediate could be made for " + constraint, e);
        }
    }

    /**
     * A leaf for exactly one host. The host stands in the SAN, where verifiers look. The common name is for people, and left out where
     * the host is longer than the 64 characters that it may have, and for addresses: OpenSSL would take one for a name, and find it
     * outside the constraint. Then the SAN is critical (RFC 5280 section 4.2.1.6).
     */
    static X509Certificate leaf(String host, PublicKey key, Signer signer, Validity validity) {
        try {
            boolean named = host.length() <= LONGEST_COMMON_NAME && !Constraint.isAddress(host);
            var identifiers = new JcaX509ExtensionUtils();
            X500Name subject = named ? commonName(host) : NO_NAME;
            X509v3CertificateBuilder draft = draft(subject(signer.certificate()), validity, subject, key)
                    .addExtension(Extension.subjectAlternativeName, !named, new GeneralNames(Constraint.name(host)))
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                    .addExtension(
                            Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                    .addExtension(Extension.subjectKeyIdentifier, false, identifiers.createSubjectKeyIdentifier(key))
                    .addExtension(Extension.authorityKeyIdentifier, false, identifierOf(signer.certificate()));
            return signed(draft, signer.key());
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("no certificate could be made for " + host, e);
        }
    }

    static X509Certificate read(byte[] der) {
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("not a certificate", e);
        }
    }

    static byte[] der(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate can't be encoded", e);
        }
    }

    /** As clients put them in their trust store (RFC 7468). */
    static String pem(List<X509Certificate> certificates) {
        StringBuilder pem = new StringBuilder();
        for (X509Certificate certificate : certificates) {
            pem.append("-----BEGIN CERTIFICATE-----\n")
                    .append(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der(certificate)))
                    .append("\n-----END CERTIFICATE-----\n");
        }
        return pem.toString();
    }

    /** SHA-256 of the certificate in hexadecimal, as {@code openssl x509 -fingerprint -sha256} prints it. */
    static String fingerprint(X509Certificate certificate) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(der(certificate));
            return HexFormat.ofDelimiter(":").withUpperCase().formatHex(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    static boolean selfIssued(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal());
    }

    /** As the issuer itself says it: an authority of others' making may count its identifier in another way. */
    private static AuthorityKeyIdentifier identifierOf(X509Certificate issuer)
            throws GeneralSecurityException, IOException {
        byte[] own = issuer.getExtensionValue(Extension.subjectKeyIdentifier.getId());
        return own == null
                ? new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(issuer.getPublicKey())
                : new AuthorityKeyIdentifier(
                        SubjectKeyIdentifier.getInstance(JcaX509ExtensionUtils.parseExtensionValue(own))
                                .getKeyIdentifier());
    }

    private static X500Name subject(X509Certificate certificate) {
        return X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
    }

    private static X509v3CertificateBuilder draft(X500Name issuer, Validity validity, X500Name subject, PublicKey key) {
        Date from = Date.from(validity.from());
        Date until = Date.from(validity.until());
        return new JcaX509v3CertificateBuilder(issuer, serial(), from, until, subject, key);
    }

    /** 128 random bits, so that no two leaves of one root ever share a serial; never zero (RFC 5280 section 4.1.2.2). */
    private static BigInteger serial() {
        return new BigInteger(128, RANDOM).or(BigInteger.ONE);
    }

    private static X500Name commonName(String name) {
        return new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, name).build();
    }

    private static X509Certificate signed(X509v3CertificateBuilder draft, PrivateKey key) throws IOException {
        try {
            var signer = new JcaContentSignerBuilder(algorithm(key)).build(key);
            return read(draft.build(signer).getEncoded());
        } catch (OperatorCreationException e) {
            throw new IllegalStateException("this Java can't sign with " + key.getAlgorithm(), e);
        }
    }

    /** By the strength of the key (RFC 5480 section 4, RFC 8017); what was brought along may be no P-256. */
    static String algorithm(PrivateKey key) {
        return switch (key) {
            case RSAKey ignored -> "SHA256withRSA";
            case ECKey curve when curve.getParams().getOrder().bitLength() > 256 -> "SHA384withECDSA";
            default -> "SHA256withECDSA";
        };
    }
}
