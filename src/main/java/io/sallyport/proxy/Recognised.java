package io.sallyport.proxy;

import io.sallyport.grant.Grant;

/** The second step's answer. */
public sealed interface Recognised {

    record Live(Grant grant) implements Recognised {}

    /** Nobody that we know asked: counted, not recorded. */
    record Stranger(Refusal refusal) implements Recognised {}
}
