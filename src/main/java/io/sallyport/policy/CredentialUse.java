package io.sallyport.policy;

import java.util.List;
import java.util.Set;

/** What a scope puts on a request: named credentials, nothing, or what the agent itself brings in named slots. */
public sealed interface CredentialUse {

    /** @param names of credential documents, at least one, filling disjoint slots */
    record Named(List<String> names) implements CredentialUse {}

    record None() implements CredentialUse {}

    /** @param slots lower case */
    record Own(Set<String> slots, String reason) implements CredentialUse {}
}
