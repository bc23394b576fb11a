package io.sallyport.policy;

import io.sallyport.document.Keys;
import io.sallyport.http.Destination;
import java.util.List;

/**
 * A host is either intercepted or passed through, in the whole of a policy: what may pass unread could otherwise carry what another scope
 * of the same host would have refused.
 */
final class Overlaps {

    private Overlaps() {}

    static void sayIn(List<Scope> scopes, Keys policy) {
        for (Scope passed : scopes) {
            if (passed.intercept()) {
                continue;
            }
            for (Scope other : scopes) {
                if (other != passed && overlap(passed.destination(), other.destination())) {
                    policy.problem(
                            "scopes." + passed.name() + ".intercept",
                            "is false, and scopes." + other.name() + " has " + other.destination()
                                    + "; allowed: a host that no other scope of the policy has");
                }
            }
        }
    }

    /** Whatever the scheme: a CONNECT names host and port alone. */
    private static boolean overlap(Destination one, Destination other) {
        boolean sameWildcard = one.wildcard()
                && other.wildcard()
                && one.origin().host().equals(other.origin().host());
        boolean covers = (!other.wildcard() && one.matchesHost(other.origin().host()))
                || (!one.wildcard() && other.matchesHost(one.origin().host()));
        return one.origin().port() == other.origin().port() && (sameWildcard || covers);
    }
}
