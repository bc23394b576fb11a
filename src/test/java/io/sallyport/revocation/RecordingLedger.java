package io.sallyport.revocation;

import io.sallyport.ledger.Appended;
import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.store.Tx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Keeps what was appended in transactions that were committed. */
final class RecordingLedger implements Ledger {

    private final List<Fact> facts = new CopyOnWriteArrayList<>();
    private volatile Predicate<Fact> refuses = fact -> false;

    /** An entry that can't be appended fails its transaction. */
    void refuse(Predicate<Fact> which) {
        refuses = which;
    }

    <F extends Fact> List<F> facts(Class<F> kind) {
        return new ArrayList<>(
                facts.stream().filter(kind::isInstance).map(kind::cast).toList());
    }

    @Override
    public Appended append(Tx tx, Fact fact) {
        if (refuses.test(fact)) {
            throw new IllegalStateException(
                    "the ledger refuses " + fact.getClass().getSimpleName());
        }
        tx.afterCommit(() -> facts.add(fact));
        return new Appended(facts.size());
    }

    @Override
    public Page find(Query query) {
        return new Page(List.of(), false);
    }

    @Override
    public Optional<Entry> entry(long seq) {
        return Optional.empty();
    }

    @Override
    public Head head() {
        return new Head(facts.size(), "0".repeat(64));
    }

    @Override
    public Check verify(@Nullable Head kept) {
        throw new UnsupportedOperationException("nobody verifies here");
    }
}
