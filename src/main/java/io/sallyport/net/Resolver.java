package io.sallyport.net;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Names to addresses, single flight and cached for the answer's time to live within published limits. */
public interface Resolver {

    sealed interface Resolution {
        record Resolved(List<InetAddress> addresses) implements Resolution {}

        /** @param reason as in {@code no such name}, {@code no answer within 5 s} */
        record Failed(String reason) implements Resolution {}
    }

    /** @param host canonical; an IP literal resolves to itself */
    CompletionStage<Resolution> resolve(String host);
}
