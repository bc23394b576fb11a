package io.sallyport.proxy.wire;

import io.netty.channel.EventLoop;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.tls.NotSignable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The leaf of a host that a tunnel was allowed to. */
final class Minting {

    private Minting() {}

    /** @param then called on the loop: with null once there is a leaf, otherwise with the reason why there is none */
    static void leaf(Hop hop, EventLoop loop, String host, Consumer<@Nullable Refusal> then) {
        if (hop.leaves().ready(host)) {
            then.accept(null);
            return;
        }
        // About a millisecond of signing: not on the loop that serves everybody else.
        OnLoop.then(
                CompletableFuture.supplyAsync(() -> hop.leaves().leaf(host), hop.offload()),
                loop,
                (leaf, fault) -> then.accept(fault == null ? null : refusal(fault)));
    }

    /** A book that came between the decision and the signature is no fault of ours: what it does not have intercepted is refused. */
    static Refusal refusal(Throwable fault) {
        Throwable cause = fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
        if (cause instanceof NotSignable unnamed) {
            return Refusal.of(
                            RefusalError.DESTINATION_NOT_ALLOWED,
                            "the rules have just changed: no scope has this destination intercepted any more")
                    .because(String.valueOf(unnamed.getMessage()));
        }
        Hop.fault(cause);
        return Refusal.of(RefusalError.UNAVAILABLE, "the broker can't serve this just now")
                .because("no leaf could be minted");
    }
}
