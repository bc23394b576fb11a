package io.sallyport.grant;

/** Whether a presented task token names a grant that still stands. */
public sealed interface Recognition {

    record Live(Grant grant) implements Recognition {}

    /** @param cause for the log and the counters: malformed, unknown, expired, ended, another address, bound to its listener */
    record NotLive(String cause) implements Recognition {}
}
