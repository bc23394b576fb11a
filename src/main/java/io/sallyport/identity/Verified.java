package io.sallyport.identity;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A token whose issuer, audience, signature and times have been checked.
 *
 * @param issuedAt the {@code iat} claim; where it is missing {@code nbf}, else the time of the check
 * @param expiresAt the token's own end, in whole seconds
 * @param issuer the {@code iss} claim, exactly
 * @param mayAct the one party that the token allows to act for its subject (RFC 8693 section 4.4); null when it names none
 */
public record Verified(
        Principal principal,
        Isolation isolation,
        Instant issuedAt,
        Instant expiresAt,
        String issuer,
        @Nullable Party mayAct) {

    /** Somebody as a token names them. */
    public record Party(String issuer, String subject) {}

    /** A token that says nothing about who may act. */
    public Verified(Principal principal, Isolation isolation, Instant issuedAt, Instant expiresAt) {
        this(principal, isolation, issuedAt, expiresAt, principal.identity(), null);
    }

    /** Whether the subject's own token leaves room for this actor; the policy decides on top of it. */
    public boolean letsActFor(Verified actor) {
        return mayAct == null || mayAct.equals(new Party(actor.issuer, actor.principal.subject()));
    }
}
