package io.sallyport.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

/**
 * The keys of a database, and what takes all that is sealed from one to the next while others work on it. It may be stopped at any moment: each
 * value says which key it needs, and what is not yet sealed anew is found by that.
 */
public final class Resealing {

    /** So many values are one transaction: others write in between. */
    static final int BATCH = 64;

    private final Writer writer;
    private final KeyRing ring;
    private final KeyPlace place;
    private final Keepers keepers;
    private final SealedRows rows;

    private Resealing(Writer writer, KeyRing ring, KeyPlace place, Keepers keepers, SealedRows rows) {
        this.writer = writer;
        this.ring = ring;
        this.place = place;
        this.keepers = keepers;
        this.rows = rows;
    }

    /** @throws StoreFault when something needs a key that is not there */
    static Resealing open(SqliteStore store, KeyRing ring, KeyPlace place, Keepers keepers, SealedRows rows) {
        Map<String, Long> needed = rows.needed();
        List<KeptKey> kept = KeptKey.all(store.readers());
        String missing = needed.entrySet().stream()
                .filter(entry -> !ring.has(entry.getKey()))
                .map(entry -> entry.getValue() + " with key " + entry.getKey() + from(kept, entry.getKey()))
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            throw new StoreFault("The database " + store.file() + " has values that were sealed with another key than "
                    + ring.sealing() + " from " + place + ": " + missing + ". Name where that is in"
                    + " sallyport.previous-keys until \"sallyport seal status\" says that nothing needs it");
        }
        // Only now: what is running may still be about to write what the key before has sealed.
        List<String> over = kept.stream()
                .filter(key -> !key.seals() && !needed.containsKey(key.id()))
                .map(KeptKey::id)
                .toList();
        if (!over.isEmpty() && !rows.columns().isEmpty()) {
            store.writer().write(tx -> {
                for (String id : over) {
                    KeptKey.remove(tx, id);
                }
                return over.size();
            });
        }
        return new Resealing(store.writer(), ring, place, keepers, rows);
    }

    private static String from(List<KeptKey> kept, String id) {
        return kept.stream()
                .filter(key -> !key.seals() && key.id().equals(id))
                .map(key -> " from " + key.place())
                .findFirst()
                .orElse("");
    }

    /** Seals with the one key, opens with all. */
    public Seal seal() {
        return ring;
    }

    /**
     * How things are.
     *
     * @param key id of the key that seals, in hexadecimal; nothing of the key can be told from it
     * @param place where that is from, as settings name it
     * @param earlier keys that something still needs
     */
    public record Status(String key, String place, List<Earlier> earlier) {

        public Status {
            earlier = List.copyOf(earlier);
        }

        /** How many values need another key than the one that seals. */
        public long waiting() {
            return earlier.stream().mapToLong(Earlier::values).sum();
        }
    }

    /** @param values that were sealed with it */
    public record Earlier(String key, String place, long values) {}

    public Status status() {
        String sealing = ring.sealing();
        return new Status(
                sealing,
                ring.place(sealing),
                rows.needed().entrySet().stream()
                        .filter(entry -> !entry.getKey().equals(sealing))
                        .map(entry -> new Earlier(entry.getKey(), ring.place(entry.getKey()), entry.getValue()))
                        .toList());
    }

    /** A new key of the database's own, wrapped by the same service; it seals once it is written. */
    public static final class Renewal {

        private final KeyRing ring;
        private final AesGcmSeal seal;
        private final KeptKey resting;

        private Renewal(KeyRing ring, AesGcmSeal seal, KeptKey resting) {
            this.ring = ring;
            this.seal = seal;
            this.resting = resting;
        }

        /** Its id, in hexadecimal. */
        public String key() {
            return seal.keyId();
        }

        /** The one before stays for what it has sealed. From the commit on the new one seals. */
        public void write(Tx tx) throws SQLException {
            KeptKey.retire(tx, ring.sealing());
            resting.write(tx);
            MasterKey.writeCheck(tx, MasterKey.check(seal));
            tx.afterCommit(() -> ring.sealWith(seal));
        }
    }

    /** Whether a service keeps the key, so that {@link #renewal} can be had. */
    public boolean renewable() {
        return place instanceof KeyPlace.Kept;
    }

    /** Asks the service, which may take seconds. @throws StoreFault when it gives none, or can't open what it wrapped */
    public Renewal renewal() {
        if (!(place instanceof KeyPlace.Kept at)) {
            throw new StoreFault("the key is from " + place + ", and no service makes another");
        }
        Keepers.Made made = keepers.makeProven(at);
        AesGcmSeal seal = new AesGcmSeal(made.plain());
        Arrays.fill(made.plain(), (byte) 0);
        return new Renewal(ring, seal, made.resting());
    }

    /**
     * Seals anew whatever needs another key than the one that seals.
     *
     * @param goOn asked before each batch
     * @param sealed told how many, after each batch is on disk
     * @return what could not be opened, each as a table and a row's key
     * @throws StoreFault when the store can't be written; what is done stays done
     */
    public List<String> run(BooleanSupplier goOn, IntConsumer sealed) {
        List<String> unreadable = new ArrayList<>();
        int moved = 1;
        // What was being sealed while the key changed may be written after its table was passed: hence once more.
        while (moved > 0) {
            moved = 0;
            unreadable.clear();
            for (SealedColumn column : rows.columns()) {
                moved += table(column, goOn, sealed, unreadable);
            }
        }
        return unreadable;
    }

    private int table(SealedColumn column, BooleanSupplier goOn, IntConsumer sealed, List<String> unreadable) {
        int moved = 0;
        String after = "";
        while (goOn.getAsBoolean()) {
            List<SealedRows.Row> batch = rows.others(column, ring.sealing(), after, BATCH);
            if (batch.isEmpty()) {
                break;
            }
            int done = batch(batch, unreadable);
            sealed.accept(done);
            moved += done;
            after = batch.getLast().key().getFirst();
        }
        return moved;
    }

    private record Anew(SealedRows.Row row, byte[] sealed) {}

    private int batch(List<SealedRows.Row> batch, List<String> unreadable) {
        List<Anew> all = new ArrayList<>();
        for (SealedRows.Row row : batch) {
            try {
                byte[] plain = ring.open(row.sealed(), row.place());
                all.add(new Anew(row, ring.seal(plain, row.place())));
                Arrays.fill(plain, (byte) 0);
            } catch (StoreFault fault) {
                unreadable.add(row.toString());
            }
        }
        return writer.write(tx -> {
            int done = 0;
            for (Anew one : all) {
                done += SealedRows.replace(tx, one.row, one.sealed) ? 1 : 0;
            }
            return done;
        });
    }
}
