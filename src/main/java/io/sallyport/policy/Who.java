package io.sallyport.policy;

import io.sallyport.identity.Delegation;
import io.sallyport.identity.Principal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One entry of {@code who}.
 *
 * @param person whom the workload must act for; empty for no such condition
 */
record Who(Named workload, Optional<Named> person) {

    /** A workload or person as an entry names it; both parts must match. */
    record Named(Match identity, Match subject) {

        boolean matches(Principal principal) {
            return identity.matches(principal.identity()) && subject.matches(principal.subject());
        }
    }

    /** Those that entries name exactly; a pattern names none in particular. */
    static Set<String> identities(List<Who> entries) {
        return entries.stream()
                .flatMap(entry -> Stream.concat(Stream.of(entry.workload), entry.person.stream()))
                .map(Named::identity)
                .flatMap(identity -> identity instanceof Match.Exactly(String text) ? Stream.of(text) : Stream.empty())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    boolean admits(Delegation delegation) {
        return workload.matches(delegation.workload().principal())
                && person.map(named -> delegation
                                .onBehalfOf()
                                .map(verified -> named.matches(verified.principal()))
                                .orElse(false))
                        .orElse(true);
    }
}
