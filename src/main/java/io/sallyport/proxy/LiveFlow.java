package io.sallyport.proxy;

import io.sallyport.grant.Grant;
import io.sallyport.http.RequestHead;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One running request, as those who may have to cut it see it. */
public final class LiveFlow {

    private final Grant grant;
    private final RequestHead head;
    private final Consumer<String> onCut;
    private final AtomicReference<@Nullable String> cause = new AtomicReference<>();
    private final LiveFlows home;

    LiveFlow(LiveFlows home, Grant grant, RequestHead head, Consumer<String> onCut) {
        this.home = home;
        this.grant = grant;
        this.head = head;
        this.onCut = onCut;
    }

    public Grant grant() {
        return grant;
    }

    RequestHead head() {
        return head;
    }

    /** Looked at on the flow's own thread right before anything is sent: it is set before a revocation is acknowledged. */
    public boolean isCut() {
        return cause.get() != null;
    }

    /** From any thread; the first cause counts. */
    boolean cut(String why) {
        if (!cause.compareAndSet(null, why)) {
            return false;
        }
        onCut.accept(why);
        return true;
    }

    /** The flow is over. Idempotent. */
    public void leave() {
        home.leave(this);
    }
}
