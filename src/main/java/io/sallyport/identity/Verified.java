package io.sallyport.identity;

import java.time.Instant;

/**
 * A token whose issuer, audience, signature and times have been checked.
 *
 * @param expiresAt the token's own end, in whole seconds
 */
public record Verified(Principal principal, Isolation isolation, Instant issuedAt, Instant expiresAt) {}
