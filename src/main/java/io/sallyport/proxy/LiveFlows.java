package io.sallyport.proxy;

import io.sallyport.grant.FlowCutter;
import io.sallyport.grant.Grant;
import io.sallyport.http.RequestHead;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests that are running, by grant and by task: what a revocation cuts, and what {@code at-once} counts. With them the connections
 * that are one grant's alone, which end with it whether or not a request runs.
 */
public final class LiveFlows implements FlowCutter, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LiveFlows.class);

    private final ConcurrentHashMap<String, OfGrant> byGrant = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Integer> byTask = new ConcurrentHashMap<>();
    private final Clock clock;
    private final ScheduledExecutorService timer;
    private final int mostOfTask;

    /** The flows and the connections of one grant, how many flows were cut, and the alarm at its end. */
    private record OfGrant(
            Grant grant,
            Set<LiveFlow> flows,
            Set<Runnable> connections,
            AtomicInteger cut,
            ScheduledFuture<?> deadline) {
        int cut(Predicate<LiveFlow> unwanted, String why) {
            int now = 0;
            for (LiveFlow flow : flows) {
                if (unwanted.test(flow) && flow.cut(why)) {
                    now++;
                }
            }
            cut.addAndGet(now);
            return now;
        }

        /** Flows first: a connection on which one runs has more to say than that it closes. */
        int end(String why) {
            int now = cut(flow -> true, why);
            connections.forEach(Runnable::run);
            return now;
        }

        boolean empty() {
            return flows.isEmpty() && connections.isEmpty();
        }
    }

    /**
     * @param timer for the grants' ends; closed with this
     * @param mostOfTask that run of one task at one time, whatever its policy says: each may hold a window and a connection
     */
    public LiveFlows(Clock clock, ScheduledExecutorService timer, int mostOfTask) {
        this.clock = clock;
        this.timer = timer;
        this.mostOfTask = mostOfTask;
    }

    /**
     * Enters a flow. This comes before the last look at its grant: a revocation in between finds the flow here, one before is seen by
     * the look.
     *
     * @param atOnce how many of the task may run by its policy; empty for as many as the hop lets any
     * @param onCut called at most once, on whatever thread cuts
     * @return empty when the task has as many running as it may
     */
    public Optional<LiveFlow> enter(Grant grant, RequestHead head, OptionalLong atOnce, Consumer<String> onCut) {
        long limit = Math.min(mostOfTask, atOnce.orElse(mostOfTask));
        boolean[] entered = {false};
        byTask.compute(grant.task(), (task, running) -> {
            int now = running == null ? 0 : running;
            entered[0] = now < limit;
            return entered[0] ? Integer.valueOf(now + 1) : running;
        });
        if (!entered[0]) {
            return Optional.empty();
        }
        LiveFlow flow = new LiveFlow(this, grant, head, onCut);
        byGrant.compute(grant.id(), (id, known) -> {
            OfGrant of = known == null ? opened(grant) : known;
            of.flows().add(flow);
            return of;
        });
        return Optional.of(flow);
    }

    /**
     * Enters a connection that nobody but this grant uses. As with a flow, the look at the grant comes after.
     *
     * @param onEnd called on whatever thread when the grant ends, perhaps more than once
     * @return to be run when the connection is gone
     */
    Runnable hold(Grant grant, Runnable onEnd) {
        byGrant.compute(grant.id(), (id, known) -> {
            OfGrant of = known == null ? opened(grant) : known;
            of.connections().add(onEnd);
            return of;
        });
        return () -> byGrant.computeIfPresent(grant.id(), (id, of) -> {
            of.connections().remove(onEnd);
            return ifNeeded(of);
        });
    }

    private OfGrant opened(Grant grant) {
        return new OfGrant(
                grant,
                ConcurrentHashMap.newKeySet(),
                ConcurrentHashMap.newKeySet(1),
                new AtomicInteger(),
                deadline(grant));
    }

    /** An empty one stays until the grant's deadline: warm grants come and go many times a second. */
    private static @Nullable OfGrant ifNeeded(OfGrant of) {
        return of.empty() && of.deadline().isDone() ? null : of;
    }

    void leave(LiveFlow flow) {
        boolean[] left = {false};
        byGrant.computeIfPresent(flow.grant().id(), (id, of) -> {
            left[0] = of.flows().remove(flow);
            return ifNeeded(of);
        });
        if (left[0]) {
            byTask.computeIfPresent(flow.grant().task(), (task, running) -> running > 1 ? running - 1 : null);
        }
    }

    /** Cuts every flow of these grants, at once; also counts those that the news of the same endings has cut already. */
    @Override
    public int cut(Collection<Grant> ended) {
        int cut = 0;
        for (Grant grant : ended) {
            cut(grant, "revoked");
            OfGrant of = byGrant.get(grant.id());
            cut += of == null ? 0 : of.cut().get();
        }
        return cut;
    }

    /** Cuts every flow of this grant, at once, and ends its connections. @return how many flows ran until now */
    public int cut(Grant grant, String why) {
        OfGrant of = byGrant.get(grant.id());
        return of == null ? 0 : of.end(why);
    }

    /** Cuts those flows of all grants that match. */
    public int cut(Predicate<LiveFlow> unwanted, String why) {
        int cut = 0;
        for (OfGrant of : byGrant.values()) {
            cut += of.cut(unwanted, why);
        }
        return cut;
    }

    /**
     * Looks once a second for flows and connections whose grant has fallen without a call. Each grant's alarm was set by the wall clock of one moment; a
     * clock that is put forward, or an alarm that rang a moment too early, must not leave a stream open.
     */
    void watch(Predicate<Grant> stands) {
        var unused = timer.scheduleWithFixedDelay(() -> cutFallen(stands), 1, 1, TimeUnit.SECONDS);
    }

    private void cutFallen(Predicate<Grant> stands) {
        try {
            for (OfGrant of : byGrant.values()) {
                if (!of.empty() && !stands.test(of.grant())) {
                    of.end("expired");
                }
            }
        } catch (RuntimeException fault) {
            // A timer's task that throws is never run again.
            LOG.error("flows of fallen grants could not be cut; they are looked at again in a second", fault);
        }
    }

    /** No deadline rings any more. */
    @Override
    public void close() {
        timer.shutdownNow();
    }

    public int running() {
        return byGrant.values().stream().mapToInt(of -> of.flows().size()).sum();
    }

    private ScheduledFuture<?> deadline(Grant grant) {
        // Rounded up: an alarm before the end would miss whoever enters in between.
        long delay =
                Math.max(0, Duration.between(clock.instant(), grant.expiresAt()).toMillis() + 1);
        return timer.schedule(() -> expired(grant), delay, TimeUnit.MILLISECONDS);
    }

    private void expired(Grant grant) {
        cut(grant, "expired");
        byGrant.computeIfPresent(grant.id(), (id, of) -> of.empty() ? null : of);
    }
}
