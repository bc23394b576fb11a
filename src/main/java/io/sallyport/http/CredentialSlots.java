package io.sallyport.http;

import java.util.List;
import java.util.Set;

/**
 * The published list of places where credentials ride: header fields and query parameters. Whatever the agent brings in one of them is
 * taken off before a request leaves.
 */
public final class CredentialSlots {

    private CredentialSlots() {}

    /**
     * What is left of a request without the agent's own credentials.
     *
     * @param removed names of the slots that were emptied, lower case, each once, in order; never values
     */
    public record Cleaned(Target target, Fields fields, List<String> removed) {}

    /**
     * Takes off every credential slot in every spelling and multiplicity.
     *
     * @param keep names (lower case) that the scope declares to be no credential here, or that the agent may bring itself
     * @param alsoTake names (lower case) of further slots: those that the rule's own credential fills
     */
    public static Cleaned takeOff(Target target, Fields fields, Set<String> keep, Set<String> alsoTake) {
        throw new IllegalStateException("to be written");
    }
}
