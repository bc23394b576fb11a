package io.sallyport.rules;

import io.sallyport.credential.Credential;
import io.sallyport.identity.Identities;
import io.sallyport.identity.Isolation;
import io.sallyport.policy.Policy;
import io.sallyport.policy.Scope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All documents, compiled and cross-checked. Immutable. */
public interface RuleBook {

    /** SHA-256 (hex) over the sorted (kind, name, bytes) of all documents, and over the files of keys and roots that they name. */
    String digest();

    Identities identities();

    Map<String, Policy> policies();

    Map<String, Credential> credentials();

    /** The credentials that a scope puts on a request: those it names, in order. */
    List<Credential> credentialsOf(Scope scope);

    /** The only roots that the scope's destination is verified by; empty for the usual ones. */
    Optional<PrivateRoots> rootsOf(Scope scope);

    /** The ids of all private roots that its scopes trust: what was verified by others is trusted no more. */
    Set<String> rootsInUse();

    /** What of a scope of this book does not depend on the request. */
    default ScopePlan plan(Scope scope) {
        return ScopePlan.of(scope, credentialsOf(scope), rootsOf(scope));
    }

    /** Whether settings let a workload in this isolation reach the credential. */
    boolean mayReach(Isolation isolation, Credential credential);

    /** The names of the scope's credentials that a workload in this isolation may not reach; empty when it may have them all. */
    default List<String> outOfReach(Isolation isolation, Scope scope) {
        return credentialsOf(scope).stream()
                .filter(credential -> !mayReach(isolation, credential))
                .map(Credential::name)
                .toList();
    }

    default Optional<Policy> policy(String name) {
        return Optional.ofNullable(policies().get(name));
    }

    /** Every document as written, for reading. */
    List<Document> documents();

    /** @param home {@code file} or {@code database}; @param place the file's path, for a person */
    record Document(String kind, String name, String home, String place, String text) {}
}
