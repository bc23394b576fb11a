package io.sallyport.revocation;

import io.sallyport.grant.EndReason;
import io.sallyport.grant.FlowCutter;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.grant.RandomId;
import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.store.Readers;
import io.sallyport.store.StoreFault;
import io.sallyport.store.Writer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries orders out: lock in memory, end in memory, cut, and only then write. The lock comes first so that nothing slips in between the pick
 * and the lock: what becomes visible after the pick meets the lock.
 */
final class JdbcRevocations implements Revocations {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcRevocations.class);

    private final Grants grants;
    private final FlowCutter flows;
    private final GrantReach reach;
    private final StandingLocks locks;
    private final OrderRecords records;
    private final Store store;

    /**
     * What an order needs of the disk and of time.
     *
     * @param node this broker's name in receipts
     * @param patience how long an order waits for the disk before it answers that it is not durable yet
     */
    record Store(Writer writer, Readers readers, Ledger ledger, Clock clock, String node, Duration patience) {}

    JdbcRevocations(Grants grants, FlowCutter flows, GrantReach reach, StandingLocks locks, Store store) {
        this.grants = grants;
        this.flows = flows;
        this.reach = reach;
        this.locks = locks;
        this.store = store;
        this.records = new OrderRecords(store.writer(), store.ledger(), grants, store.node());
    }

    @Override
    public Receipt order(Selector selector, String reason, String by) {
        requireReason(reason);
        String id = RandomId.of("rev");
        Instant now = store.clock().instant();
        Lock lock = selector.wide() ? locked(new Lock(RandomId.of("lock"), id, selector, reason, by, now)) : null;
        List<Grant> ended = grants.endInMemory(matching(selector), EndReason.REVOKED);
        Order order = new Order(id, now, by, selector, reason, ended, cut(ended), lock);
        boolean recorded = waited(records.record(order));
        return order.receipt(recorded && durablyEnded(selector), store.node());
    }

    private static void requireReason(String reason) {
        if (reason.isBlank()) {
            throw new IllegalArgumentException("a reason is required: whoever reads the ledger later was not here");
        }
    }

    /** @return the lock if it is new */
    private @Nullable Lock locked(Lock wanted) {
        return locks.lock(wanted).equals(wanted) ? wanted : null;
    }

    /** By task or by grant there is an index; everything else is looked through. */
    private Collection<Grant> matching(Selector selector) {
        String task = selector.parts().get(Selector.Key.TASK);
        String grant = selector.parts().get(Selector.Key.GRANT);
        if (grant != null) {
            return grants.standing(grant).filter(found -> selector.matches(found, reach)).stream()
                    .toList();
        }
        if (task != null) {
            return grants.ofTask(task).stream()
                    .filter(found -> selector.matches(found, reach))
                    .toList();
        }
        return grants.standing(found -> selector.matches(found, reach));
    }

    /** A fault in the cutting must not keep the order from being written: each use looks at its grant anyway. */
    private int cut(List<Grant> ended) {
        try {
            return ended.isEmpty() ? 0 : flows.cut(ended);
        } catch (RuntimeException e) {
            LOG.error("Flows of {} ended grants could not be cut at once", ended.size(), e);
            return 0;
        }
    }

    private boolean waited(CompletableFuture<Order> record) {
        try {
            record.get(store.patience().toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A repeated order finds nothing to end; it must not be called durable while the first one is not. */
    boolean durablyEnded(Selector selector) {
        return records.pending(
                        earlier -> earlier.lock() != null && earlier.selector().equals(selector)
                                || earlier.grants().stream().anyMatch(grant -> selector.matches(grant, reach)))
                .isEmpty();
    }

    @Override
    public Optional<Receipt> find(String id) {
        return records.pending(order -> order.id().equals(id))
                .map(order -> order.receipt(false, store.node()))
                .or(() -> store.readers().read(connection -> RevocationRows.find(connection, id)));
    }

    @Override
    public List<Lock> locks() {
        return locks.all();
    }

    @Override
    public boolean lift(String id, String reason, String by) {
        requireReason(reason);
        if (locks.beginLift(id) == null) {
            return false;
        }
        boolean lifted = false;
        try {
            recordLift(id, reason, by);
            lifted = true;
        } finally {
            locks.endLift(id, lifted);
        }
        return true;
    }

    private void recordLift(String id, String reason, String by) {
        if (records.pending(order -> order.lock() != null && order.lock().id().equals(id))
                .isPresent()) {
            throw new StoreFault("lock " + id + " is not on disk yet, so it can't be lifted there");
        }
        store.writer().write(tx -> {
            RevocationRows.deleteLock(tx, id);
            return store.ledger().append(tx, new Fact.Unlocked(id, by, reason));
        });
    }

    /** Tries to write what the store refused before. */
    void retry() {
        records.retry();
    }
}
