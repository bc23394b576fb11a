package io.sallyport.identity;

/** What became of a token. The causes are for the ledger and the log; whoever sent the token learns only that it does not do. */
public sealed interface Verification {

    record Accepted(Verified verified) implements Verification {}

    /** @param cause as in {@code expired 61 s ago}; never the token */
    record Rejected(String cause) implements Verification {}

    /** The issuer's keys can't be had just now. */
    record Unavailable(String cause) implements Verification {}
}
