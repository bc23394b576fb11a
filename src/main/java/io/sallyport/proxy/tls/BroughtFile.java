package io.sallyport.proxy.tls;

import io.sallyport.net.CertifiedKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A PEM file with an authority of somebody else's making: its certificate first, those above it in order (the root too, if it is to be
 * published), and its private key.
 *
 * @param chain the authority first
 */
record BroughtFile(List<X509Certificate> chain, PrivateKey key) {

    private static final int KEY_CERT_SIGN = 5;
    private static final List<String> FOR_SERVERS = List.of("1.3.6.1.5.5.7.3.1", "2.5.29.37.0");

    BroughtFile {
        chain = List.copyOf(chain);
    }

    /** @throws AuthorityUnusable saying in words what is wrong with it; never with anything of the key */
    static BroughtFile read(Path file, Instant now) {
        BroughtFile read = switch (CertifiedKey.read(bytes(file))) {
            case CertifiedKey.Read.Fit(CertifiedKey held) -> new BroughtFile(held.chain(), held.key());
            case CertifiedKey.Read.Unfit(String reason) -> throw new AuthorityUnusable(file, reason);
        };
        String problem = read.problem(now);
        if (problem != null) {
            throw new AuthorityUnusable(file, problem);
        }
        return read;
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new AuthorityUnusable(file, "can't be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    /** What is wrong with it; null for nothing. */
    private @Nullable String problem(Instant now) {
        X509Certificate authority = chain.getFirst();
        String begins = "begins with the certificate of "
                + authority.getSubjectX500Principal().getName() + ", ";
        if (authority.getBasicConstraints() < 0) {
            return begins + "which is no CA; allowed: one with CA:TRUE";
        }
        boolean[] usage = authority.getKeyUsage();
        if (usage != null && !usage[KEY_CERT_SIGN]) {
            return begins + "whose key usage does not allow it to sign certificates";
        }
        if (!servesServers(authority)) {
            return begins + "whose extended key usage leaves out TLS servers";
        }
        Instant from = authority.getNotBefore().toInstant();
        Instant until = authority.getNotAfter().toInstant();
        if (now.isBefore(from) || !now.isBefore(until)) {
            return begins + "which holds from " + from + " until " + until + "; allowed: one that holds now";
        }
        return chainProblem();
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
}
