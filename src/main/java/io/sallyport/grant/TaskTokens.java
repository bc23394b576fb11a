package io.sallyport.grant;

/** Mints the JWT (RFC 9068, ES256) that names a grant, and publishes the keys to verify it. */
public interface TaskTokens {

    /** At most 1.5 KiB; carries nothing that is secret but itself. */
    String mint(Grant grant);

    /** The public keys (RFC 7517), as JSON. */
    String jwks();

    /** The {@code jti} of a token that this broker signed, expired or not; empty for anything else. */
    java.util.Optional<String> jtiOf(String token);
}
