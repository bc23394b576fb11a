package io.sallyport.proxy;

import java.nio.ByteBuffer;
import java.util.Optional;

/** What the gate says once it has seen a request's whole content. */
public sealed interface Completion {

    /** @param content what is to be sent in place of the agent's; empty where that stays as it is */
    record Completed(Admission admission, Optional<ByteBuffer> content) implements Completion {}

    record Refused(Refusal refusal) implements Completion {}
}
