package io.sallyport.http;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The published list of places where credentials ride: header fields and query parameters. Whatever the agent brings in one of them is
 * taken off before a request leaves. Names are compared without regard to case and to {@code - _ .}, because gateways behind us do not
 * regard them either.
 */
public final class CredentialSlots {

    private static final FoldedNames IN_FIELDS = FoldedNames.of(SlotNames.fields(), SlotNames.ENDINGS);
    private static final FoldedNames IN_QUERY = FoldedNames.of(SlotNames.parameters(), SlotNames.ENDINGS);

    private CredentialSlots() {}

    /**
     * What is left of a request without the agent's own credentials.
     *
     * @param removed names of the slots that were emptied as the list writes them (lower case), each once, in order; never values, and
     *     never a spelling that the agent chose
     */
    public record Cleaned(Target target, Fields fields, List<String> removed) {}

    /**
     * Takes off every credential slot in every spelling and multiplicity.
     *
     * @param keep names (lower case) that the scope declares to be no credential here, or that the agent may bring itself
     * @param alsoTake names (lower case) of further slots: those that the rule's own credential fills; these outrank {@code keep}
     */
    public static Cleaned takeOff(Target target, Fields fields, Set<String> keep, Set<String> alsoTake) {
        List<String> removed = new ArrayList<>(2);
        Taking inFields = new Taking(IN_FIELDS, keep, alsoTake, removed);
        Taking inQuery = new Taking(IN_QUERY, keep, alsoTake, removed);
        Target cleaned = target.query() == null ? target : withoutParameters(target, target.query(), inQuery);
        Fields emptied = fields.without(line -> inFields.test(line.name()));
        if (fields.has(Subprotocols.SLOT) && !keep.contains(Subprotocols.SLOT)) {
            emptied = Subprotocols.takeOff(emptied, removed);
        }
        return new Cleaned(cleaned, emptied, List.copyOf(removed));
    }

    /** Whether a header field of this name is on the list, in any spelling. */
    public static boolean isField(String name) {
        return IN_FIELDS.find(name) != null;
    }

    /** The listed query parameter of this name, in any spelling; null for none. */
    static @Nullable String parameter(String name) {
        return IN_QUERY.find(name);
    }

    /** Header fields of the list, sorted, lower case. */
    public static List<String> fieldNames() {
        return SlotNames.fields();
    }

    /** Query parameters of the list, sorted, lower case. */
    public static List<String> parameterNames() {
        return SlotNames.parameters();
    }

    /** What a name ends in that makes it a slot in either place, without separators. */
    public static List<String> endings() {
        return SlotNames.ENDINGS;
    }

    private static Target withoutParameters(Target target, String query, Taking taking) {
        StringBuilder kept = null;
        QueryNames parameters = new QueryNames(query);
        while (parameters.advance()) {
            int withSeparator = Math.max(0, parameters.start() - 1);
            if (taking.test(parameters.plainName())) {
                kept = kept == null ? new StringBuilder(query.length()).append(query, 0, withSeparator) : kept;
            } else if (kept != null) {
                kept.append(query, kept.isEmpty() ? parameters.start() : withSeparator, parameters.end());
            }
        }
        if (kept == null) {
            return target;
        }
        return new Target(target.path(), kept.isEmpty() ? null : kept.toString(), target.strictProblem());
    }

    /** One place's question: is this name a slot here? It notes each slot that it finds. */
    private record Taking(FoldedNames slots, Collection<String> keep, Collection<String> alsoTake, List<String> removed)
            implements Predicate<String> {

        @Override
        public boolean test(String name) {
            String slot = own(name);
            if (slot == null) {
                slot = slots.find(name);
                if (slot == null || FoldedNames.isIn(keep, name, 0, name.length())) {
                    return false;
                }
            }
            if (!removed.contains(slot)) {
                removed.add(slot);
            }
            return true;
        }

        private @Nullable String own(String name) {
            for (String slot : alsoTake) {
                if (FoldedNames.same(slot, name, 0, name.length())) {
                    return slot;
                }
            }
            return null;
        }
    }
}
