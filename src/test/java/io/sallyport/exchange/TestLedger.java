package io.sallyport.exchange;

import io.sallyport.ledger.Appended;
import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.store.Tx;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A ledger that remembers what was committed, or refuses. */
final class TestLedger implements Ledger {

    final List<Fact> facts = new CopyOnWriteArrayList<>();
    volatile boolean refuses;

    @Override
    public Appended append(Tx tx, Fact fact) throws SQLException {
        if (refuses) {
            throw new SQLException("no more entries");
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
    public Check verify(Head earlier) {
        return new Check(facts.size(), "0".repeat(64), null, null);
    }
}
