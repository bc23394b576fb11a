package io.sallyport.rules;

import io.sallyport.credential.Credential;
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
            }
        }
        return warnings;
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
