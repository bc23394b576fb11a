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

    private static final String MOVE_HEAD = "update ledger_head set entries = ?, chain_hash = ? where id = 0";

    private final Clock clock;
    private final BookDigest book;
    private final Entries entries;
    private final CanonicalObject object = new CanonicalObject();
    private final Chain chain = new Chain();
    private final Timestamps timestamps = new Timestamps();
    private final NewEntries added = new NewEntries();

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
        tx.gather(this);
        Tail before = tail != null ? tail : readTail(tx);
        NewEntries.Row row = row(before, fact);
        // Nothing that throws comes after this: whoever catches it must not leave half an entry behind.
        added.add(row);
        tail = new Tail(before.entries + 1, row.chained());
        return new Appended(before.entries);
    }

    private NewEntries.Row row(Tail before, Fact fact) {
        long micros = LedgerView.micros(clock.instant());
        String kind = Members.kind(fact);
        byte[] canonical = canonical(before.entries, micros, kind, fact);
        byte[] leaf = chain.leaf(canonical);
        return new NewEntries.Row(
                before.entries,
                micros,
                kind,
                object.text("task"),
                object.text("grant"),
                object.number("use"),
                hash(object.text("prefix_sha256")),
                hash(object.text("request_sha256")),
                canonical,
                leaf,
                chain.next(before.chainHash, leaf));
    }

    private byte[] canonical(long seq, long micros, String kind, Fact fact) {
        object.clear();
        Members.put(object, fact);
        return object.put("book", book.current())
                .put("kind", kind)
                .put("seq", seq)
                .put("time", timestamps.text(micros))
                .put("v", 1)
                .bytes();
    }

    private static byte @Nullable [] hash(@Nullable String hex) {
        return hex == null ? null : Sha256.parse(hex);
    }

    /** What the group appended, and once for all of it where the record ends now. */
    @Override
    public void write(Tx tx) throws SQLException {
        if (tail == null || added.size() == 0) {
            return;
        }
        long from = tail.entries - added.size();
        added.insert(tx);
        PreparedStatement move = tx.prepare(MOVE_HEAD);
        move.setLong(1, tail.entries);
        move.setBytes(2, tail.chainHash);
        if (move.executeUpdate() != 1) {
            throw new SQLException("the ledger's head is gone");
        }
        HashRuns.appended(tx, from, tail.entries);
    }

    @Override
    public void forget() {
        added.clear();
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
