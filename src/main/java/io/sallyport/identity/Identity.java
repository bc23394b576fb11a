package io.sallyport.identity;

import io.sallyport.net.Cidr;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One compiled identity document: whose word is taken for who is running, and how that word is checked.
 *
 * @param name the document's name; has no slash
 * @param issuer compared with the {@code iss} claim byte for byte
 * @param audiences at least one; the broker as this issuer's tokens call it
 * @param isolation what a workload of this issuer runs in
 * @param algorithms JWS names (RFC 7518), asymmetric only
 * @param skew by which the issuer's clock may differ from ours; 0 to 60 s
 * @param trust a PEM file of the only roots to trust when keys are fetched; null for the system's
 * @param addresses reserved ranges in which the issuer may live
 * @param tokenFile whose content goes to the issuer's endpoints as a Bearer token; read anew at each fetch; null for none
 */
public record Identity(
        String name,
        String issuer,
        Set<String> audiences,
        Isolation isolation,
        Set<String> algorithms,
        Duration skew,
        KeyOrigin keys,
        @Nullable Path trust,
        List<Cidr> addresses,
        @Nullable Path tokenFile) {

    public Identity {
        audiences = Set.copyOf(audiences);
        algorithms = Set.copyOf(algorithms);
        addresses = List.copyOf(addresses);
        if (audiences.isEmpty() || algorithms.isEmpty()) {
            throw new IllegalArgumentException("an identity has an audience and an algorithm: " + name);
        }
    }
}
