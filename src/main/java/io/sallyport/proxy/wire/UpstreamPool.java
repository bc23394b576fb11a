package io.sallyport.proxy.wire;

import io.sallyport.http.Origin;
import io.sallyport.net.Resolver;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop that can serve a request: idle ones in HTTP/1.1, and in HTTP/2 those that take another. Touched by
 * its thread alone.
 */
final class UpstreamPool {

    /** From one look at all connections to the next. */
    static final Duration SWEEP = Duration.ofSeconds(5);

    private static final int IDLE_PER_KEY = 64;

    /** Origins of which something is remembered. */
    private static final int ORIGINS = 1_024;

    /** Of the origins that were asked for last. */
    private static final class Known<T> extends LinkedHashMap<Origin, T> {
        Known() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Origin, T> eldest) {
            return size() > ORIGINS;
        }
    }

    private final Duration idle;
    private final Map<UpstreamKey, Deque<Http1Upstream>> parked = new HashMap<>();
    private final Map<UpstreamKey, List<Http2Upstream>> shared = new HashMap<>();
    private final Set<Http2Upstream> standing = new LinkedHashSet<>();
    private final Map<UpstreamKey, Dial> dials = new HashMap<>();
    /** What the origin's name answered last. */
    private final Map<Origin, List<InetAddress>> answers = new Known<>();

    private final SpokenVersions versions;

    /** @param idle how long a connection is kept unused */
    UpstreamPool(Duration idle, SpokenVersions versions) {
        this.idle = idle;
        this.versions = versions;
    }

    /** For a WebSocket: a stream where the destination takes them, else an idle connection of HTTP/1. */
    @Nullable
    UpstreamStream takeForSocket(UpstreamKey key) {
        for (Http2Upstream connection : shared.getOrDefault(key, List.of())) {
            if (connection.takesSocket()) {
                return new ExtendedConnect(connection.another());
            }
        }
        return takeParked(key);
    }

    /** @param http1 true when HTTP/2 won't do */
    @Nullable
    UpstreamStream take(UpstreamKey key, boolean http1) {
        if (!http1) {
            for (Http2Upstream connection : shared.getOrDefault(key, List.of())) {
                if (connection.takesAnother()) {
                    return connection.another();
                }
            }
        }
        return takeParked(key);
    }

    /** The youngest: it is the least likely to have been closed by the other side. */
    private @Nullable Http1Upstream takeParked(UpstreamKey key) {
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
        if (strayed(connection.key())) {
            connection.close();
            return;
        }
        Deque<Http1Upstream> known = parked.computeIfAbsent(connection.key(), key -> new ArrayDeque<>());
        if (known.size() >= IDLE_PER_KEY) {
            known.pollFirst().close();
        }
        known.addLast(connection);
    }

    void share(Http2Upstream connection) {
        shared.computeIfAbsent(connection.key(), key -> new ArrayList<>(1)).add(connection);
        standing.add(connection);
    }

    void remove(Http1Upstream connection) {
        Deque<Http1Upstream> known = parked.get(connection.key());
        if (known != null && known.remove(connection) && known.isEmpty()) {
            parked.remove(connection.key());
        }
    }

    /** It takes no more requests. */
    void remove(Http2Upstream connection) {
        List<Http2Upstream> known = shared.get(connection.key());
        if (known != null && known.remove(connection) && known.isEmpty()) {
            shared.remove(connection.key());
        }
    }

    /** The connection is no more. */
    void gone(Http2Upstream connection) {
        remove(connection);
        standing.remove(connection);
    }

    /** A dial that others may wait for. */
    void dialling(UpstreamKey key, Dial dial) {
        dials.put(key, dial);
    }

    void dialled(UpstreamKey key, Dial dial) {
        dials.remove(key, dial);
    }

    @Nullable
    Dial dialling(UpstreamKey key) {
        return dials.get(key);
    }

    SpokenVersions versions() {
        return versions;
    }

    /**
     * The name's newest answer, allowed or not: connections to an address that is not in it have lost their reason, idle ones and those
     * that are in use by now.
     */
    void heard(Origin origin, List<InetAddress> newest) {
        // Nearly always the same object as the last time.
        if (answers.get(origin) != newest) {
            answers.put(origin, newest);
            retire(key -> key.origin().equals(origin) && strayed(key));
        }
    }

    private boolean strayed(UpstreamKey key) {
        List<InetAddress> newest = answers.get(key.origin());
        InetAddress address = key.way().address();
        // Where the proxy at the way out resolves, its answers are not known here.
        return newest != null && address != null && !newest.contains(address);
    }

    /** Lets no further request ride on connections that match: idle ones end now, the others with the last request that they have. */
    void retire(Predicate<UpstreamKey> unwanted) {
        for (UpstreamKey key : List.copyOf(parked.keySet())) {
            Deque<Http1Upstream> known = unwanted.test(key) ? parked.remove(key) : null;
            if (known != null) {
                known.forEach(Http1Upstream::close);
            }
        }
        List.copyOf(standing).stream()
                .filter(connection -> unwanted.test(connection.key()))
                .forEach(Http2Upstream::retire);
    }

    /** @param now monotonic nanoseconds; @param names what they answered by now, also where this loop has not asked */
    void sweep(long now, Resolver names) {
        for (Origin origin : List.copyOf(answers.keySet())) {
            if (names.known(origin.host()) instanceof Resolver.Resolution.Resolved(List<InetAddress> addresses)) {
                heard(origin, addresses);
            }
        }
        // Also what was dialled for an answer that another one has followed meanwhile.
        retire(this::strayed);
        List.copyOf(standing).forEach(connection -> connection.sweep(now, idle));
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
