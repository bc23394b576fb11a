package io.sallyport.revocation;

import io.sallyport.identity.Identities;

/** Whose word counts just now. This room knows no rule book; whoever wires it does. */
@FunctionalInterface
public interface IdentitiesInForce {

    Identities current();
}
