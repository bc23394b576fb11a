package io.sallyport.net;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Whoever is asked for a name's addresses; the cache in front of it knows nothing else of it. */
interface NameSource {

    sealed interface Answer {
        /** @param timeToLive as the source gave it; the cache applies its limits */
        record Found(List<InetAddress> addresses, Duration timeToLive) implements Answer {}

        record NotFound(String reason) implements Answer {}
    }

    Answer TOO_MANY = new Answer.NotFound("too many names are being looked up");

    /** Never completes exceptionally by intent; a fault is treated like no answer. */
    CompletableFuture<Answer> ask(String name);
}
