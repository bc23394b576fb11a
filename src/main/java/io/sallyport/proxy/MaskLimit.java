package io.sallyport.proxy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.store.Writer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a task in whose answers something was masked too often. A mask tells whoever had a guess sent back that it was right; and a destination
 * that goes on echoing a credential is one that it should not go to. Counted in memory, on this node: after a restart it begins anew.
 */
final class MaskLimit {

    private static final Logger LOG = LoggerFactory.getLogger(MaskLimit.class);
    private static final int MOST_REMEMBERED = 100_000;

    private final Grants grants;
    private final Writer writer;
    private final Ledger ledger;
    private final int most;
    private final Cache<String, AtomicInteger> byTask =
            Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).build();

    /** @param most masks that end a task, at least 1 */
    MaskLimit(Grants grants, Writer writer, Ledger ledger, int most) {
        this.grants = grants;
        this.writer = writer;
        this.ledger = ledger;
        this.most = most;
    }

    /** Does not wait for anything. @param fresh how many there were since it was last told */
    void masked(Grant grant, int fresh) {
        int now = byTask.get(grant.task(), task -> new AtomicInteger()).addAndGet(fresh);
        if (now >= most) {
            end(grant.task(), now);
        }
    }

    private void end(String task, int masks) {
        List<Grant> ended = grants.endInMemory(grants.ofTask(task), EndReason.REVOKED);
        if (ended.isEmpty()) {
            return;
        }
        LOG.warn("the task {} was ended: a secret was masked {} times in its answers", task, masks);
        Fact fact = new Fact.Revoked(
                "masks-" + task,
                "hop",
                "{\"task\":\"" + task + "\"}",
                "something was masked " + masks + " times in the answers of this task, of " + most + " that end it",
                ended.stream().map(Grant::id).toList(),
                0);
        writer.submit(tx -> {
                    grants.recordEnd(tx, ended, EndReason.REVOKED);
                    return ledger.append(tx, fact);
                })
                .whenComplete((appended, fault) -> {
                    if (fault != null) {
                        LOG.error("the end of task {} could not be recorded; it stays ended in memory", task, fault);
                    }
                });
    }
}
