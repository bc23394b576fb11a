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
    private final Map<UpstreamKey, Deque<UpstreamConnection>> parked = new HashMap<>();

    /** @param idle how long a connection is kept unused */
    UpstreamPool(Duration idle) {
        this.idle = idle;
    }

    /** The youngest: it is the least likely to have been closed by the other side. */
    @Nullable
    UpstreamConnection take(UpstreamKey key) {
        Deque<UpstreamConnection> known = parked.get(key);
        while (known != null && !known.isEmpty()) {
            UpstreamConnection connection = known.pollLast();
            if (known.isEmpty()) {
                parked.remove(key);
            }
            if (connection.alive()) {
                return connection;
            }
        }
        return null;
    }

    void put(UpstreamConnection connection) {
        Deque<UpstreamConnection> known = parked.computeIfAbsent(connection.key(), key -> new ArrayDeque<>());
        if (known.size() >= IDLE_PER_KEY) {
            known.pollFirst().close();
        }
        known.addLast(connection);
    }

    void remove(UpstreamConnection connection) {
        Deque<UpstreamConnection> known = parked.get(connection.key());
        if (known != null && known.remove(connection) && known.isEmpty()) {
            parked.remove(connection.key());
        }
    }

    /** @param now monotonic nanoseconds */
    void sweep(long now) {
        Iterator<Deque<UpstreamConnection>> all = parked.values().iterator();
        while (all.hasNext()) {
            Deque<UpstreamConnection> known = all.next();
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
