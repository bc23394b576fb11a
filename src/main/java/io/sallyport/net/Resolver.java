package io.sallyport.net;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Names to addresses, single flight and kept for the answer's time to live within limits that are settings. */
public interface Resolver {

    sealed interface Resolution {
        record Resolved(List<InetAddress> addresses) implements Resolution {}

        /** @param reason as in {@code no such name}, {@code no answer within 5 s} */
        record Failed(String reason) implements Resolution {}
    }

    /**
     * What is kept for a name and still counts: the same object until a newer answer takes its place. For whoever stands on an event loop:
     * nothing is asked, and nobody waits.
     *
     * @return null where {@link #resolve} has to ask
     */
    default @Nullable Resolution known(String host) {
        return null;
    }

    /** @param host canonical; an IP literal resolves to itself */
    CompletionStage<Resolution> resolve(String host);
}
