package io.sallyport.rules;

import io.sallyport.credential.Credential;
import io.sallyport.http.CredentialEndpoints;
import io.sallyport.identity.Identity;
import io.sallyport.policy.Policy;
import io.sallyport.policy.Scope;
import java.util.ArrayList;
import java.util.List;

/** What is right in a book and will yet refuse somebody, or nobody expects. */
final class Warnings {

    private Warnings() {}

    /** A credential whose blast radius the workload's isolation may not reach is refused at each use; whoever writes the policy should hear it earlier. */
    static List<String> about(CompiledBook book) {
        List<String> warnings = new ArrayList<>();
        for (Policy policy : book.policies().values()) {
            for (Scope scope : policy.scopes().values()) {
                for (Credential credential : book.credentialsOf(scope)) {
                    about(book, policy, scope, credential, warnings);
                }
                if (!book.credentialsOf(scope).isEmpty()) {
                    handedOut(policy, scope, warnings);
                }
            }
        }
        return warnings;
    }

    /** What such an answer holds is the agent's from then on: no revocation here ends it. */
    private static void handedOut(Policy policy, Scope scope, List<String> warnings) {
        for (int i = 0; i < scope.allow().size(); i++) {
            String where = "policies/" + policy.name() + ".yml: scopes." + scope.name() + ".allow[" + i + "]: \""
                    + scope.allow().get(i) + "\" ";
            CredentialEndpoints.saidBy(scope.allow().get(i))
                    .ifPresent(line -> warnings.add(where + "allows an endpoint that hands out credentials (" + line
                            + "); the agent gets what it answers, and keeps it after the task"));
        }
    }

    private static void about(
            CompiledBook book, Policy policy, Scope scope, Credential credential, List<String> warnings) {
        for (String name : policy.identities()) {
            Identity identity = book.identity(name);
            if (identity != null && !book.mayReach(identity.isolation(), credential)) {
                warnings.add("policies/" + policy.name() + ".yml: scopes." + scope.name()
                        + ".credential: workloads of identity " + name
                        + " (" + identity.isolation().text() + ") may not reach " + credential.name()
                        + ", whose blast radius is "
                        + credential.blastRadius().name().toLowerCase(java.util.Locale.ROOT));
            }
        }
    }
}
