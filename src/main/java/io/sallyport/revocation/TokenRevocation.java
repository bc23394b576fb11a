package io.sallyport.revocation;

import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.grant.TaskTokens;
import io.sallyport.identity.Principal;
import java.util.Optional;

/** What RFC 7009 asks of a token's own holder: the token's grant ends, with everything that was exchanged from it. */
final class TokenRevocation {

    /** What became of it. */
    enum Outcome {
        /** It does not stand, now and after a restart; also for a token that never existed (RFC 7009 section 2.2). */
        ENDED,
        /** It is cut, and the record of it is not on disk yet. */
        NOT_DURABLE,
        /** It was issued to another workload. */
        ANOTHERS
    }

    private final TaskTokens tokens;
    private final Grants grants;
    private final JdbcRevocations revocations;

    TokenRevocation(TaskTokens tokens, Grants grants, JdbcRevocations revocations) {
        this.tokens = tokens;
        this.grants = grants;
        this.revocations = revocations;
    }

    /** Whether this broker signed the token. */
    boolean knows(String token) {
        return tokens.jtiOf(token).isPresent();
    }

    /** @throws io.sallyport.store.StoreFault when the token's grant is not in memory and the disk can't be asked */
    Outcome revoke(String token, Principal client) {
        Optional<Grant> named = tokens.jtiOf(token).flatMap(grants::byJti);
        if (named.isEmpty()) {
            return Outcome.ENDED;
        }
        Grant grant = named.get();
        if (!grant.workload().equals(client)) {
            return Outcome.ANOTHERS;
        }
        return ended(grant, client) ? Outcome.ENDED : Outcome.NOT_DURABLE;
    }

    /** Asked again, it writes nothing again: an agent could fill the ledger with it. */
    private boolean ended(Grant grant, Principal client) {
        Selector selector = Selector.ofGrant(grant.id());
        return grants.stands(grant)
                ? revocations
                        .order(selector, "given back by its holder (RFC 7009)", client.toString())
                        .durable()
                : revocations.durablyEnded(selector);
    }
}
