package io.sallyport.proxy;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who holds the hop's connections: how many there are, by source and by task, and which of them have shown no live grant. Where one more
 * is too many, a connection that has shown nothing makes room, the oldest first: whoever shows a grant at once is never pushed out by
 * those that only hold on, though it comes from the same address.
 */
public final class AgentConnections {

    /** Which limit a connection was turned away or closed by. */
    public enum Bound {
        CONNECTIONS,
        SOURCE,
        STRANGERS,
        TASK
    }

    private static final class OfSource {
        private final LinkedHashSet<Seat> strangers = new LinkedHashSet<>();
        private int all;
    }

    /** One connection's place. */
    public final class Seat {
        private final InetAddress source;
        private final Runnable close;
        private volatile @Nullable String task;
        private boolean left;

        private Seat(InetAddress source, Runnable close) {
            this.source = source;
            this.close = close;
        }

        /**
         * A live grant of this task was shown on the connection. One that carries several tasks in turn counts for the latest.
         *
         * @return false when the task has as many connections as it may, or has flooded too many; this one is then still what it was
         */
        public boolean recognised(String now) {
            return now.equals(task) || change(this, now);
        }

        /** It ends because of what its peer floods it with. */
        public void flooded() {
            String whose = task;
            if (whose != null) {
                floods.take(whose);
            }
        }

        /** Whether no live grant was shown here yet. */
        public boolean stranger() {
            return task == null;
        }

        /** The connection is closed. Idempotent. */
        public void leave() {
            remove(this);
        }
    }

    private final Limits limits;
    private final Allowance<String> floods;
    private final Map<InetAddress, OfSource> bySource = new HashMap<>();
    private final Map<String, Integer> byTask = new HashMap<>();
    private final LinkedHashSet<Seat> strangers = new LinkedHashSet<>();
    private final Map<Bound, LongAdder> turnedAway = new EnumMap<>(Bound.class);
    private int all;

    /** @param nanos monotonic */
    public AgentConnections(Limits limits, LongSupplier nanos) {
        this.limits = limits;
        this.floods = Allowance.ofFloods(nanos);
        for (Bound bound : Bound.values()) {
            turnedAway.put(bound, new LongAdder());
        }
    }

    /**
     * A connection came.
     *
     * @param close called at most once, on whatever thread, when it has to make room
     * @return empty when there is no room for it
     */
    public Optional<Seat> enter(InetAddress address, Runnable close) {
        InetAddress source = source(address);
        Seat seat = new Seat(source, close);
        Seat unseated;
        synchronized (this) {
            OfSource of = bySource.computeIfAbsent(source, key -> new OfSource());
            Bound bound = bound(of);
            unseated = bound == null ? null : oldest(bound, of);
            if (bound != null) {
                count(bound);
            }
            if (bound != null && unseated == null) {
                forget(source, of);
                return Optional.empty();
            }
            if (unseated != null) {
                remove(unseated);
                // It may have been the last of this very source.
                of = bySource.computeIfAbsent(source, key -> new OfSource());
            }
            of.all++;
            of.strangers.add(seat);
            strangers.add(seat);
            all++;
        }
        if (unseated != null) {
            unseated.close.run();
        }
        return Optional.of(seat);
    }

    /** An IPv6 host has a whole /64 to come from, so that is one source (RFC 6177). */
    private static InetAddress source(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        try {
            return InetAddress.getByAddress(Arrays.copyOf(Arrays.copyOf(address.getAddress(), 8), 16));
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private @Nullable Bound bound(OfSource of) {
        if (of.strangers.size() >= limits.strangersPerSource()) {
            return Bound.STRANGERS;
        }
        if (of.all >= limits.connectionsPerSource()) {
            return Bound.SOURCE;
        }
        return all >= limits.connections() ? Bound.CONNECTIONS : null;
    }

    private @Nullable Seat oldest(Bound bound, OfSource of) {
        LinkedHashSet<Seat> among = bound == Bound.CONNECTIONS ? strangers : of.strangers;
        return among.isEmpty() ? null : among.getFirst();
    }

    private synchronized boolean change(Seat seat, String now) {
        if (seat.left) {
            return true;
        }
        if (byTask.getOrDefault(now, 0) >= limits.connectionsPerTask() || !floods.has(now)) {
            count(Bound.TASK);
            return false;
        }
        byTask.merge(now, 1, Integer::sum);
        String before = seat.task;
        if (before == null) {
            noStranger(seat);
        } else {
            leaveTask(before);
        }
        seat.task = now;
        return true;
    }

    private synchronized void remove(Seat seat) {
        if (seat.left) {
            return;
        }
        seat.left = true;
        all--;
        noStranger(seat);
        OfSource of = bySource.get(seat.source);
        if (of != null) {
            of.all--;
            forget(seat.source, of);
        }
        String task = seat.task;
        if (task != null) {
            leaveTask(task);
        }
    }

    private void noStranger(Seat seat) {
        strangers.remove(seat);
        OfSource of = bySource.get(seat.source);
        if (of != null) {
            of.strangers.remove(seat);
        }
    }

    private void forget(InetAddress source, OfSource of) {
        if (of.all == 0) {
            bySource.remove(source);
        }
    }

    private void leaveTask(String task) {
        byTask.computeIfPresent(task, (key, held) -> held > 1 ? held - 1 : null);
    }

    private void count(Bound bound) {
        LongAdder count = turnedAway.get(bound);
        if (count != null) {
            count.increment();
        }
    }

    /** Connections that were turned away, or closed to make room, since the start. */
    public long turnedAway(Bound bound) {
        LongAdder count = turnedAway.get(bound);
        return count == null ? 0 : count.sum();
    }

    /** Connections now. */
    public synchronized int held() {
        return all;
    }

    /** Connections now on which no live grant was shown. */
    public synchronized int strangers() {
        return strangers.size();
    }
}
