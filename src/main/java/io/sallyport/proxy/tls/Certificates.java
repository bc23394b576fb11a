package io.sallyport.proxy.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** The two shapes of certificate that the authority signs (RFC 5280), as strict verifiers want them: P-256, ECDSA with SHA-256. */
final class Certificates {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int LONGEST_COMMON_NAME = 64;
    private static final X500Name NO_NAME = new X500Name(new RDN[0]);
    private static final Pattern IPV4 = Pattern.compile("[0-9.]+");

    private Certificates() {}

    /** Who signs. */
    record Issuer(X509Certificate certificate, PrivateKey key) {

        private X500Name name() {
            return X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
        }
    }

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
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
                    .addExtension(Extension.subjectKeyIdentifier, false, identifier);
            return signed(draft, keys.getPrivate());
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the interception CA could not be made", e);
        }
    }

    /**
     * A leaf for exactly one host. The host stands in the SAN, where verifiers look. The common name is for people, and left out where
     * the host is longer than the 64 characters that it may have; then the SAN is critical (RFC 5280 section 4.2.1.6).
     */
    static X509Certificate leaf(String host, PublicKey key, Issuer issuer, Validity validity) {
        try {
            boolean named = host.length() <= LONGEST_COMMON_NAME;
            var identifiers = new JcaX509ExtensionUtils();
            var authority = identifiers.createAuthorityKeyIdentifier(
                    issuer.certificate().getPublicKey());
            X509v3CertificateBuilder draft = draft(issuer.name(), validity, named ? commonName(host) : NO_NAME, key)
                    .addExtension(Extension.subjectAlternativeName, !named, new GeneralNames(generalName(host)))
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                    .addExtension(
                            Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                    .addExtension(Extension.subjectKeyIdentifier, false, identifiers.createSubjectKeyIdentifier(key))
                    .addExtension(Extension.authorityKeyIdentifier, false, authority);
            return signed(draft, issuer.key());
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

    private static GeneralName generalName(String host) {
        boolean address = host.indexOf(':') >= 0 || IPV4.matcher(host).matches();
        return new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, host);
    }

    private static X509Certificate signed(X509v3CertificateBuilder draft, PrivateKey key) throws IOException {
        try {
            var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(key);
            return read(draft.build(signer).getEncoded());
        } catch (OperatorCreationException e) {
            throw new IllegalStateException("this Java can't sign with P-256", e);
        }
    }
}
