package io.sallyport.revocation;

import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grants;
import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.store.Tx;
import io.sallyport.store.Writer;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes orders down, each in one transaction with its ends, its lock and its entries. What the store does not take now is kept in order and
 * tried again, as long as the process lives: a store that is down does not stop a stop.
 */
final class OrderRecords {

    private static final Logger LOG = LoggerFactory.getLogger(OrderRecords.class);

    private final Writer writer;
    private final Ledger ledger;
    private final Grants grants;
    private final String node;
    private final Map<String, Pending> pending = new LinkedHashMap<>(); // guarded by this, oldest first

    /** @param attempt null while it waits for its turn behind one that failed */
    private record Pending(Order order, @Nullable CompletableFuture<Order> attempt) {

        boolean waits() {
            return attempt == null || attempt.isDone();
        }
    }

    OrderRecords(Writer writer, Ledger ledger, Grants grants, String node) {
        this.writer = writer;
        this.ledger = ledger;
        this.grants = grants;
        this.node = node;
    }

    /** @return completes when the order is on disk; exceptionally when it has to wait for {@link #retry} */
    CompletableFuture<Order> record(Order order) {
        CompletableFuture<Order> attempt = begin(order);
        return attempt.whenComplete((done, fault) -> {
            if (fault == null) {
                forget(order);
            } else {
                LOG.error("Revocation {} holds in memory but is not on disk yet; it is tried again", order.id());
                LOG.debug("The cause", fault);
            }
        });
    }

    private synchronized CompletableFuture<Order> begin(Order order) {
        boolean behind = pending.values().stream().anyMatch(Pending::waits);
        CompletableFuture<Order> attempt = behind
                ? CompletableFuture.failedFuture(new IllegalStateException("behind an earlier one"))
                : submit(order);
        pending.put(order.id(), new Pending(order, behind ? null : attempt));
        return attempt;
    }

    private CompletableFuture<Order> submit(Order order) {
        return writer.submit(tx -> {
            write(tx, order);
            return order;
        });
    }

    private void write(Tx tx, Order order) throws SQLException {
        grants.recordEnd(tx, order.grants(), EndReason.REVOKED);
        RevocationRows.insert(tx, order, node);
        String selector = SelectorJson.write(order.selector());
        ledger.append(
                tx,
                new Fact.Revoked(order.id(), order.by(), selector, order.reason(), order.grantIds(), order.flowsCut()));
        Lock lock = order.lock();
        if (lock != null) {
            RevocationRows.insert(tx, lock);
            ledger.append(tx, new Fact.Locked(lock.id(), order.by(), selector, order.reason()));
        }
    }

    private synchronized void forget(Order order) {
        pending.remove(order.id());
    }

    /** An order that memory has carried out and the disk has not. */
    synchronized Optional<Order> pending(Predicate<Order> which) {
        return pending.values().stream().map(Pending::order).filter(which).findFirst();
    }

    /** Tries what waits, oldest first, until one fails again. Waits for the store; for a thread of its own. */
    void retry() {
        for (Optional<Order> next = oldestWaiting(); next.isPresent(); next = oldestWaiting()) {
            Order order = next.get();
            try {
                submit(order).join();
            } catch (RuntimeException e) {
                LOG.warn("Revocation {} is still not on disk", order.id());
                LOG.debug("The cause", e);
                return;
            }
            forget(order);
            LOG.info("Revocation {} is on disk now", order.id());
        }
    }

    /** The oldest of all, and only if no attempt of it is under way. */
    private synchronized Optional<Order> oldestWaiting() {
        return pending.values().stream()
                .limit(1)
                .filter(Pending::waits)
                .map(Pending::order)
                .findFirst();
    }
}
