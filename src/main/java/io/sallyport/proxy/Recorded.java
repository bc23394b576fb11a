package io.sallyport.proxy;

import io.sallyport.grant.Reservation;

/** What became of an attempt to charge and record. */
public sealed interface Recorded {

    /** On disk. @param seq of the entry @param reserved what could be given back */
    record Durable(long seq, Reservation.Reserved reserved) implements Recorded {}

    /** A limit refuses, or the grant ended on the way: nothing was recorded. */
    record Denied(Refusal refusal) implements Recorded {}

    /** The store can't write: nothing leaves. @param cause for the log */
    record Unwritable(String cause) implements Recorded {}
}
