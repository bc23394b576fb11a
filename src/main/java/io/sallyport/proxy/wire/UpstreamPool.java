package io.sallyport.proxy.wire;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The idle connections of one event loop; touched by its thread alone. */
final class UpstreamPool {

    private static final int IDLE_PER_KEY = 64;

    private final Duration idle;
    private final Map<UpstreamKey, Deque<Http1Upstream>> parked = new HashMap<>();

    /** @param idle how long a connection is kept unused */
    UpstreamPool(Duration idle) {
        this.idle = idle;
    }

    /** The youngest: it is the least likely to have been closed by the other side. */
    @Nullable
    Http1Upstream take(UpstreamKey key) {
        Deque<Http1Upstream> known = parked.get(key);
        while (known != null && !known.isEmpty()) {
            Http1Upstream connection = known.pollLast();
            if (known.isEmpty()) {
                parked.remove(key);
            }
            if (connection.alive()) {
                return connection;
            }
        }
        return null;
    }

    void put(Http1Upstream connection) {
        Deque<Http1Upstream> known = parked.computeIfAbsent(connection.key(), key -> new ArrayDeque<>());
        if (known.size() >= IDLE_PER_KEY) {
            known.pollFirst().close();
        }
        known.addLast(connection);
    }

    void remove(Http1Upstream connection) {
        Deque<Http1Upstream> known = parked.get(connection.key());
        if (known != null && known.remove(connection) && known.isEmpty()) {
            parked.remove(connection.key());
        }
    }

    /** @param now monotonic nanoseconds */
    void sweep(long now) {
        Iterator<Deque<Http1Upstream>> all = parked.values().iterator();
        while (all.hasNext()) {
            Deque<Http1Upstream> known = all.next();
            while (!known.isEmpty() && now - known.peekFirst().parkedAt() > idle.toNanos()) {
                // Taken out first: its end must not look for it here again.
                known.pollFirst().close();
            }
            if (known.isEmpty()) {
                all.remove();
            }
        }
    }
}
