package io.sallyport.admin;

import io.sallyport.admin.Authorities.Step;
import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.store.Tx;
import io.sallyport.store.Writer;
import java.sql.SQLException;
import java.util.List;

/** Steps of rolling over the interception CA, each told to the ledger in the transaction that takes it. */
public final class RollOvers {

    private final Authorities authorities;
    private final Writer writer;
    private final Ledger ledger;

    public RollOvers(Authorities authorities, Writer writer, Ledger ledger) {
        this.authorities = authorities;
        this.writer = writer;
        this.ledger = ledger;
    }

    public List<Authorities.Authority> all() {
        return authorities.all();
    }

    public Step succeed(String by) {
        return take(authorities::succeed, "authority successor", by);
    }

    public Step promote(String by) {
        return take(authorities::promote, "authority promote", by);
    }

    public Step withdraw(String id, String by) {
        return take(tx -> authorities.withdraw(tx, id), "authority withdraw", by);
    }

    @FunctionalInterface
    private interface Taken {
        Step in(Tx tx) throws SQLException;
    }

    private Step take(Taken step, String verb, String by) {
        return writer.write(tx -> {
            Step taken = step.in(tx);
            if (taken instanceof Step.Done(String id)) {
                ledger.append(tx, new Fact.Operated(by, verb + " " + id));
            }
            return taken;
        });
    }
}
