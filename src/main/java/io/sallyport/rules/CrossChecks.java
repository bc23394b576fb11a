package io.sallyport.rules;

import io.sallyport.credential.Credential;
import io.sallyport.document.Compiled;
import io.sallyport.document.Keys;
import io.sallyport.document.Problem;
import io.sallyport.http.Destination;
import io.sallyport.policy.CredentialUse;
import io.sallyport.policy.Policy;
import io.sallyport.policy.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What a policy says about other documents, held against them. */
final class CrossChecks {

    private final Set<String> identities;
    private final Map<String, Credential> credentials;

    CrossChecks(Set<String> identities, Map<String, Credential> credentials) {
        this.identities = identities;
        this.credentials = credentials;
    }

    List<Problem> problems(Policy policy) {
        List<Problem> problems = new ArrayList<>();
        for (String identity : policy.identities()) {
            if (!identities.contains(identity)) {
                problems.add(new Problem(
                        "who",
                        "names identity " + identity + ", which does not exist; allowed: " + listed(identities)));
            }
        }
        for (Scope scope : policy.scopes().values()) {
            List<String> named =
                    scope.credential() instanceof CredentialUse.Named(List<String> names) ? names : List.of();
            check(scope, named, problems);
            scope.narrow().keySet().stream()
                    .filter(name -> !named.contains(name))
                    .forEach(name -> problems.add(new Problem(
                            "scopes." + scope.name() + ".narrow",
                            "names " + name + ", which the scope does not put on requests; allowed: "
                                    + (named.isEmpty()
                                            ? "none, since there are no others"
                                            : String.join(", ", named)))));
        }
        return problems;
    }

    private void check(Scope scope, List<String> names, List<Problem> problems) {
        String where = "scopes." + scope.name() + ".";
        Set<String> filled = new HashSet<>();
        for (String name : names) {
            Credential credential = credentials.get(name);
            if (credential == null) {
                problems.add(new Problem(
                        where + "credential",
                        "names " + name + ", which does not exist; allowed: none, " + listed(credentials.keySet())));
                continue;
            }
            if (!mayCarry(scope.destination(), credential)) {
                problems.add(new Problem(
                        where + "destination",
                        scope.destination() + " is not among those of credential " + name + "; allowed: "
                                + credential.destinations()));
            }
            if (!Collections.disjoint(credential.slots(), scope.keep())) {
                problems.add(new Problem(
                        where + "keep",
                        "keeps what the agent brings where credential " + name + " goes; allowed: other slots"));
            }
            if (!Collections.disjoint(filled, credential.slots())) {
                problems.add(new Problem(
                        where + "credential", name + " fills a slot that another one fills; allowed: disjoint slots"));
            }
            filled.addAll(credential.slots());
            Optional.ofNullable(scope.narrow().get(name))
                    .ifPresent(narrow -> problems.addAll(unfit(credential, narrow, where + "narrow." + name)));
        }
    }

    /** What the credential's source does not take: it knows its own words, and says so in them. */
    private static List<Problem> unfit(Credential credential, Map<String, Object> narrow, String where) {
        Keys keys = Keys.of(narrow);
        Optional<Credential> narrowed = credential.narrowed(keys);
        return switch (keys.compiled(narrowed::orElseThrow)) {
            case Compiled.Ok<Credential> ok -> List.of();
            case Compiled.Rejected<Credential>(List<Problem> wrong) ->
                wrong.stream()
                        .map(one -> new Problem(one.where().isEmpty() ? where : where + "." + one.where(), one.what()))
                        .toList();
        };
    }

    /** A wildcard is covered only by the same wildcard; plain http, which everybody on the way can read, only by the very same origin. */
    private static boolean mayCarry(Destination destination, Credential credential) {
        if (destination.wildcard() || !destination.origin().secure()) {
            return credential.destinations().stream()
                    .anyMatch(own -> own.wildcard() == destination.wildcard()
                            && own.origin().equals(destination.origin()));
        }
        return credential.mayGoTo(destination.origin());
    }

    private static String listed(Set<String> names) {
        return names.isEmpty() ? "nothing, since there are no others" : String.join(", ", new TreeSet<>(names));
    }
}
