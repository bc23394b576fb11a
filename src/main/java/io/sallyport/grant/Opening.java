package io.sallyport.grant;

/** Whether a grant was opened. Refused, nothing was written. */
public sealed interface Opening {

    record Opened() implements Opening {}

    /** @param cause for the ledger and the log: the parent ended meanwhile, or a lock stands against it */
    record Refused(String cause) implements Opening {}
}
