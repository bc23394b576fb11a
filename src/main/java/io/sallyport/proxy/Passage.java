package io.sallyport.proxy;

/** What the gate answers to one request. */
public sealed interface Passage {

    record Admitted(Admission admission) implements Passage {}

    record Refused(Refusal refusal) implements Passage {}
}
