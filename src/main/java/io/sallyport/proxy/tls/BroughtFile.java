package io.sallyport.proxy.tls;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.interfaces.RSAKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.jspecify.annotations.Nullable;

/**
 * A PEM file with an authority of somebody else's making: its certificate first, those above it in order (the root too, if it is to be
 * published), and its private key.
 *
 * @param chain the authority first
 */
record BroughtFile(List<X509Certificate> chain, PrivateKey key) {

    private static final int KEY_CERT_SIGN = 5;
    private static final int SHORTEST_RSA = 2048;
    private static final int SHORTEST_CURVE = 256;
    private static final List<String> FOR_SERVERS = List.of("1.3.6.1.5.5.7.3.1", "2.5.29.37.0");

    BroughtFile {
        chain = List.copyOf(chain);
    }

    /** @throws AuthorityUnusable saying in words what is wrong with it; never with anything of the key */
    static BroughtFile read(Path file, Instant now) {
        BroughtFile read = parse(file);
        String problem = read.problem(now);
        if (problem != null) {
            throw new AuthorityUnusable(file, problem);
        }
        return read;
    }

    private static BroughtFile parse(Path file) {
        List<X509Certificate> chain = new ArrayList<>();
        List<PrivateKey> keys = new ArrayList<>();
        try (PEMParser pem = new PEMParser(new StringReader(Files.readString(file, StandardCharsets.US_ASCII)))) {
            for (Object part = pem.readObject(); part != null; part = pem.readObject()) {
                switch (part) {
                    case X509CertificateHolder certificate -> chain.add(Certificates.read(certificate.getEncoded()));
                    case PrivateKeyInfo key -> keys.add(PrivateKeys.read(key));
                    case PEMKeyPair pair -> keys.add(PrivateKeys.read(pair.getPrivateKeyInfo()));
                    case PEMEncryptedKeyPair ignored -> throw encrypted(file);
                    case PKCS8EncryptedPrivateKeyInfo ignored -> throw encrypted(file);
                    // openssl ecparam writes the curve in front of the key.
                    default -> {}
                }
            }
        } catch (IOException | GeneralSecurityException e) {
            // Its message may quote the file, and the file holds a key.
            throw new AuthorityUnusable(
                    file, "can't be read as PEM (" + e.getClass().getSimpleName() + ")");
        }
        if (chain.isEmpty() || keys.size() != 1) {
            throw new AuthorityUnusable(
                    file,
                    "holds " + chain.size() + " certificates and " + keys.size()
                            + " private keys; allowed: the authority's certificate, those above it in order, and its one private key, in PEM");
        }
        return new BroughtFile(chain, keys.getFirst());
    }

    private static AuthorityUnusable encrypted(Path file) {
        return new AuthorityUnusable(
                file, "has an encrypted private key; allowed: a plain one in a file that its owner alone can read");
    }

    /** What is wrong with it; null for nothing. */
    private @Nullable String problem(Instant now) {
        X509Certificate authority = chain.getFirst();
        String name = authority.getSubjectX500Principal().getName();
        if (authority.getBasicConstraints() < 0) {
            return "begins with the certificate of " + name + ", which is no CA; allowed: one with CA:TRUE";
        }
        boolean[] usage = authority.getKeyUsage();
        if (usage != null && !usage[KEY_CERT_SIGN]) {
            return "begins with the certificate of " + name + ", whose key usage does not allow it to sign certificates";
        }
        if (!servesServers(authority)) {
            return "begins with the certificate of " + name + ", whose extended key usage leaves out TLS servers";
        }
        Instant from = authority.getNotBefore().toInstant();
        Instant until = authority.getNotAfter().toInstant();
        if (now.isBefore(from) || !now.isBefore(until)) {
            return "begins with the certificate of " + name + ", which holds from " + from + " until " + until
                    + "; allowed: one that holds now";
        }
        if (tooShort(key)) {
            return "has a " + key.getAlgorithm() + " key that clients refuse; allowed: RSA of 2048 bits or more, or a"
                    + " curve of 256 bits or more (P-256, P-384)";
        }
        return matches(authority) ? chainProblem() : "has a private key that is not that of its first certificate, " + name;
    }

    private @Nullable String chainProblem() {
        for (int i = 0; i + 1 < chain.size(); i++) {
            try {
                chain.get(i).verify(chain.get(i + 1).getPublicKey());
            } catch (GeneralSecurityException e) {
                return "has certificates out of order: "
                        + chain.get(i + 1).getSubjectX500Principal().getName() + " did not sign "
                        + chain.get(i).getSubjectX500Principal().getName() + "; allowed: each signed by the next";
            }
        }
        return null;
    }

    private static boolean servesServers(X509Certificate authority) {
        try {
            List<String> usages = authority.getExtendedKeyUsage();
            return usages == null || usages.stream().anyMatch(FOR_SERVERS::contains);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static boolean tooShort(PrivateKey key) {
        return switch (key) {
            case RSAKey rsa -> rsa.getModulus().bitLength() < SHORTEST_RSA;
            case ECKey curve -> curve.getParams().getOrder().bitLength() < SHORTEST_CURVE;
            default -> true;
        };
    }

    /** Whether what the key signs, the certificate verifies. */
    private boolean matches(X509Certificate authority) {
        try {
            String algorithm = Certificates.algorithm(key);
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(Certificates.der(authority));
            byte[] signed = signature.sign();
            signature.initVerify(authority.getPublicKey());
            signature.update(Certificates.der(authority));
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
