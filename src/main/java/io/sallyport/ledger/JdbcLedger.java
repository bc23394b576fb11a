package io.sallyport.ledger;

import io.sallyport.store.Readers;
import io.sallyport.store.Tx;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The ledger in the store. Appends run on the writer's thread alone, which is why nothing here is locked. */
final class JdbcLedger implements Ledger {

    private static final String INSERT = """
            insert into entry (seq, time, kind, task, grant_id, use, prefix_sha256, request_sha256, canonical, leaf_hash, chain_hash)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";
    private static final String MOVE_HEAD = "update ledger_head set entries = ?, chain_hash = ? where id = 0";

    private final Clock clock;
    private final BookDigest book;
    private final Entries entries;
    private final CanonicalObject object = new CanonicalObject();
    private final Chain chain = new Chain();
    private final Timestamps timestamps = new Timestamps();

    /** Where the open transaction stands; null when that is known to the database alone: at first, and after any rollback. */
    private @Nullable Tail tail;

    private final Runnable forgetTail = () -> tail = null;

    private record Tail(long entries, byte[] chainHash) {}

    JdbcLedger(Readers readers, Clock clock, BookDigest book) {
        this.entries = new Entries(readers);
        this.clock = clock;
        this.book = book;
    }

    @Override
    public Appended append(Tx tx, Fact fact) throws SQLException {
        tx.afterRollback(forgetTail);
        Tail before = tail != null ? tail : readTail(tx);
        // Whoever catches what is thrown below must not leave a tail behind that is not true.
        tail = null;
        long micros = LedgerView.micros(clock.instant());
        String kind = Members.kind(fact);
        byte[] canonical = canonical(before.entries, micros, kind, fact);
        byte[] leaf = chain.leaf(canonical);
        byte[] chained = chain.next(before.chainHash, leaf);
        insert(tx, before.entries, micros, kind, new Hashed(canonical, leaf, chained));
        moveHead(tx, before.entries + 1, chained);
        HashRuns.appended(tx, before.entries);
        tail = new Tail(before.entries + 1, chained);
        return new Appended(before.entries, Sha256.hex(leaf));
    }

    private record Hashed(byte[] canonical, byte[] leaf, byte[] chained) {}

    private byte[] canonical(long seq, long micros, String kind, Fact fact) {
        object.clear()
                .put("v", 1)
                .put("seq", seq)
                .put("time", timestamps.text(micros))
                .put("kind", kind)
                .put("book", book.current());
        Members.put(object, fact);
        return object.bytes();
    }

    /** The columns beside the canonical bytes are copies of members, so that verification can compare them. */
    private void insert(Tx tx, long seq, long micros, String kind, Hashed hashed) throws SQLException {
        PreparedStatement insert = tx.prepare(INSERT);
        insert.setLong(1, seq);
        insert.setLong(2, micros);
        insert.setString(3, kind);
        insert.setString(4, object.text("task"));
        insert.setString(5, object.text("grant"));
        Long use = object.number("use");
        if (use == null) {
            insert.setNull(6, Types.INTEGER);
        } else {
            insert.setLong(6, use);
        }
        setHash(insert, 7, object.text("prefix_sha256"));
        setHash(insert, 8, object.text("request_sha256"));
        insert.setBytes(9, hashed.canonical);
        insert.setBytes(10, hashed.leaf);
        insert.setBytes(11, hashed.chained);
        insert.executeUpdate();
    }

    private static void setHash(PreparedStatement insert, int at, @Nullable String hex) throws SQLException {
        if (hex == null) {
            insert.setNull(at, Types.BLOB);
        } else {
            insert.setBytes(at, Sha256.parse(hex));
        }
    }

    private static void moveHead(Tx tx, long entries, byte[] chained) throws SQLException {
        PreparedStatement move = tx.prepare(MOVE_HEAD);
        move.setLong(1, entries);
        move.setBytes(2, chained);
        if (move.executeUpdate() != 1) {
            throw new SQLException("the ledger's head is gone");
        }
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
