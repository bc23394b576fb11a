package io.sallyport.proxy;

/** What became of an attempt to charge and record. */
public sealed interface Recorded {

    /** On disk. @param seq of the entry */
    record Durable(long seq) implements Recorded {}

    /** A limit refuses, or the grant ended on the way: nothing was recorded. */
    record Denied(Refusal refusal) implements Recorded {}

    /** The store can't write: nothing leaves. @param cause for the log */
    record Unwritable(String cause) implements Recorded {}
}
