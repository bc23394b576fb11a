package io.sallyport.rules;

import io.sallyport.credential.Credential;
import io.sallyport.http.Parsed;
import io.sallyport.net.Cidr;
import io.sallyport.policy.CredentialUse;
import io.sallyport.policy.Scope;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All that a scope says about a request's way which does not depend on the request: worked out once a book, looked up at each use.
 *
 * @param credentials that the scope puts on a request, in order
 * @param keep slots (lower case) that are left as the agent filled them
 * @param filled slots (lower case) that the credentials fill
 * @param permitted reserved ranges that the destination names
 * @param roots the only ones that the destination's certificate may come from; empty for the usual ones
 */
public record ScopePlan(
        List<Credential> credentials,
        Set<String> keep,
        Set<String> filled,
        List<Cidr> permitted,
        Optional<PrivateRoots> roots) {

    static ScopePlan of(Scope scope, List<Credential> credentials, Optional<PrivateRoots> roots) {
        Set<String> keep = new HashSet<>(scope.keep());
        if (scope.credential() instanceof CredentialUse.Own(Set<String> slots, String ignored)) {
            keep.addAll(slots);
        }
        return new ScopePlan(
                List.copyOf(credentials),
                Set.copyOf(keep),
                credentials.stream()
                        .flatMap(credential -> credential.slots().stream())
                        .collect(Collectors.toUnmodifiableSet()),
                scope.destination().addresses().stream()
                        .map(Cidr::parse)
                        .map(Parsed::orElseThrow)
                        .toList(),
                roots);
    }

    /**
     * Names that hold no credential of the agent's own in content: those that the scope keeps, and those that a credential fills there, which a
     * slot says after a colon.
     */
    public Set<String> ownOfContent() {
        Set<String> names = new HashSet<>(keep);
        for (String slot : filled) {
            int colon = slot.indexOf(':');
            if (colon >= 0) {
                names.add(slot.substring(Math.max(colon, slot.lastIndexOf('/')) + 1));
            }
        }
        return names;
    }
}
