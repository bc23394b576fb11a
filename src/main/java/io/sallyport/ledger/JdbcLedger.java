package io.sallyport.ledger;

import io.sallyport.store.Gathering;
import io.sallyport.store.Readers;
import io.sallyport.store.Tx;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The ledger in the store. Appends run on the writer's thread alone, which is why nothing here is locked. */
final class JdbcLedger implements Ledger, Gathering {

    private static final String MOVE_HEAD =
            "update ledger_head set entries = ?, chain_hash = ?, first_open = ? where id = 0";

    private final Clock clock;
    private final BookDigest book;
    private final Entries entries;
    private final Members members = new Members();
    private final Chain chain = new Chain();
    private final NewEntries added = new NewEntries();
    private final RunInTheMaking run = new RunInTheMaking();
    private final OpenUses open = new OpenUses();

    /** Where the open transaction stands; null when that is known to the database alone: at first, and after any rollback. */
    private @Nullable Tail tail;

    private record Tail(long entries, byte[] chainHash) {}

    JdbcLedger(Readers readers, Clock clock, BookDigest book) {
        this.entries = new Entries(readers);
        this.clock = clock;
        this.book = book;
    }

    @Override
    public Appended append(Tx tx, Fact fact) throws SQLException {
        boolean first = tx.gather(this);
        Tail before = tail != null ? tail : lookedUpTail(tx);
        if (first) {
            open.groupBegins(before.entries);
        }
        NewEntries.Row row = row(before, fact);
        // Nothing that throws comes after this: whoever catches it must not leave half an entry behind.
        added.add(row);
        follow(before.entries, fact);
        tail = new Tail(before.entries + 1, row.chained());
        return new Appended(before.entries);
    }

    private Tail lookedUpTail(Tx tx) throws SQLException {
        Tail known = readTail(tx);
        open.undone(known.entries);
        return known;
    }

    private void follow(long seq, Fact fact) {
        switch (fact) {
            case Fact.Used ignored -> open.opened(seq);
            case Fact.Outcome outcome -> open.closed(outcome.use());
            default -> {}
        }
    }

    private NewEntries.Row row(Tail before, Fact fact) {
        long micros = LedgerView.micros(clock.instant());
        Runs.Keys keys = Members.keys(fact);
        byte[] canonical = members.bytes(before.entries, micros, book.current(), fact);
        byte[] leaf = chain.leaf(canonical);
        return new NewEntries.Row(
                before.entries, micros, keys, Members.use(fact), canonical, leaf, chain.next(before.chainHash, leaf));
    }

    /** What the group appended, and once for all of it where the record ends now. */
    @Override
    public void write(Tx tx) throws SQLException {
        if (tail == null || added.rows().isEmpty()) {
            return;
        }
        added.insert(tx);
        PreparedStatement move = tx.prepare(MOVE_HEAD);
        move.setLong(1, tail.entries);
        move.setBytes(2, tail.chainHash);
        move.setLong(3, open.first(tail.entries));
        if (move.executeUpdate() != 1) {
            throw new SQLException("the ledger's head is gone");
        }
        for (NewEntries.Row row : added.rows()) {
            run.add(row.seq(), row.time(), row.keys());
            if ((row.seq() + 1) % Runs.ENTRIES == 0) {
                run.finish(tx, Runs.runOf(row.seq()));
            }
        }
        added.clear();
    }

    @Override
    public void forget() {
        added.clear();
        run.forget();
        tail = null;
    }

    /**
     * From the head and not from the last entry: should the end of the record have been cut off, going on from what is left would close the
     * gap over it. From the head, the gap stays for every verification to see.
     */
    private static Tail readTail(Tx tx) throws SQLException {
        try (ResultSet head = tx.prepare(Entries.HEAD).executeQuery()) {
            if (!head.next()) {
                throw new SQLException("the ledger's head is gone");
            }
            return new Tail(head.getLong(1), head.getBytes(2));
        }
    }

    @Override
    public Page find(Query query) {
        return entries.find(query);
    }

    @Override
    public Optional<Entry> entry(long seq) {
        return entries.entry(seq);
    }

    @Override
    public Head head() {
        return entries.head();
    }

    @Override
    public Check verify(@Nullable Head earlier) {
        return entries.verify(earlier);
    }
}
