package io.sallyport.identity;

import io.sallyport.testing.TestIssuer;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Identities as tests need them. */
final class TestIdentities {

    private TestIdentities() {}

    static Identity fixed(String name, TestIssuer issuer) {
        return identity(name, issuer, new KeyOrigin.Fixed(issuer.jwks()));
    }

    static Identity discovered(String name, TestIssuer issuer) {
        return identity(name, issuer, new KeyOrigin.Discovered());
    }

    static Identity identity(String name, TestIssuer issuer, KeyOrigin keys) {
        return new Identity(
                name,
                issuer.issuer,
                Set.of(issuer.audience),
                Isolation.CONTAINER,
                Signature.ALGORITHMS,
                Duration.ofSeconds(30),
                keys,
                null,
                List.of(),
                null);
    }
}
