package io.sallyport.grant;

/** Why a grant ended. Expiry needs no caller: it is computed. */
public enum EndReason {
    REVOKED,
    EXPIRED,
    PARENT_ENDED,
    POLICY_GONE,
    /** The listener that it was bound to could not be opened. */
    NO_LISTENER
}
