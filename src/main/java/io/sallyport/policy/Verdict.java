package io.sallyport.policy;

import org.jspecify.annotations.Nullable;

/** What a policy says to one request. */
public sealed interface Verdict {

    /** The one scope that the request belongs to, and it is granted. */
    record Selected(Scope scope) implements Verdict {}

    /**
     * @param error a value of the closed list in {@code docs/reference/refusals.md}, see {@link Denial}
     * @param scope the scope's name where one was found; null otherwise
     * @param reason what a person and an agent can read
     * @param malformed true for a 400 (a constrained query name given twice, a path that {@code paths: strict} refuses), false for a 403
     */
    record Refused(String error, @Nullable String scope, String reason, boolean malformed) implements Verdict {

        Refused(Denial denial, @Nullable String scope, String reason) {
            this(denial.error(), scope, reason, denial.malformed());
        }
    }
}
