package io.sallyport.grant;

import java.util.List;
import java.util.Optional;

/** Mints the JWT (RFC 9068, ES256) that names a grant, and publishes the keys to verify it. */
public interface TaskTokens {

    /** At most 1.5 KiB; carries nothing that is secret but itself. */
    String mint(Grant grant);

    /** The public keys (RFC 7517), as JSON. */
    String jwks();

    /**
     * What tokens begin with, to the first dot: one for each key of which a token may still live. The same list until that changes; never
     * empty.
     */
    List<String> beginnings();

    /** The {@code jti} of a token that this broker signed, expired or not; empty for anything else. */
    Optional<String> jtiOf(String token);
}
