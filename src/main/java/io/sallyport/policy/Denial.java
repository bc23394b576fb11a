package io.sallyport.policy;

import java.util.Locale;

/** Why a policy refuses: its part of the closed list in {@code docs/reference/refusals.md}. */
public enum Denial {
    /** No scope of the policy names the origin. */
    DESTINATION_NOT_ALLOWED,
    /** A scope names the origin, and none the path. */
    PATH_NOT_ALLOWED,
    /** A scope names the path, and none the method there. */
    METHOD_NOT_ALLOWED,
    /** The scope that the request belongs to was not granted. */
    SCOPE_NOT_GRANTED,
    /** A line of {@code never} matches some reading of the path. */
    NEVER_ALLOWED,
    /** The scope's {@code query} does not allow it. */
    QUERY_NOT_ALLOWED,
    /** It would answer with a fresh credential, and no line of {@code allow} says so in words. */
    HANDS_OUT_CREDENTIALS,
    /** A constrained query name is given twice: a 400. */
    QUERY_AMBIGUOUS,
    /** Origins may read the path in more than one way, and the scope is {@code paths: strict}: a 400. */
    PATH_AMBIGUOUS;

    /** As it stands in a refusal: {@code scope_not_granted}. */
    public String error() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** True for a 400: no other grant would make the request one that can be judged. */
    public boolean malformed() {
        return this == QUERY_AMBIGUOUS || this == PATH_AMBIGUOUS;
    }
}
