package io.sallyport.proxy.wire;

import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Brings an answer back to the thread of the flow that waits for it. */
final class OnLoop {

    private OnLoop() {}

    /** At once when it is there already, which is the usual case; {@code next} gets the value, or the fault. */
    static <T> void then(
            CompletionStage<T> stage, EventLoop loop, BiConsumer<@Nullable T, @Nullable Throwable> continuation) {
        BiConsumer<@Nullable T, @Nullable Throwable> next = reporting(continuation);
        CompletableFuture<T> future = stage.toCompletableFuture();
        if (future.isDone() && loop.inEventLoop()) {
            future.whenComplete(next);
        } else {
            future.whenComplete((value, fault) -> loop.execute(() -> next.accept(value, fault)));
        }
    }

    /** A stage would keep the fault of whoever hears its answer to itself, and somebody would wait for ever without a word in the log. */
    private static <T> BiConsumer<@Nullable T, @Nullable Throwable> reporting(
            BiConsumer<@Nullable T, @Nullable Throwable> continuation) {
        return (value, fault) -> {
            try {
                continuation.accept(value, fault);
            } catch (RuntimeException ours) {
                Hop.fault(ours);
                throw ours;
            }
        };
    }
}
