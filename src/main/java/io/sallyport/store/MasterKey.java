package io.sallyport.store;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the key that seals, makes it at first start, and makes sure that it is the one that the database is sealed with, or follows that one:
 * a key that was named as the previous one opens the check, and with that lets another take its place.
 */
final class MasterKey {

    static final String CHECK = "key-check";

    private static final String PREVIOUS = "sallyport.previous-keys";
    private static final byte[] CHECK_TEXT = "sallyport key check".getBytes(StandardCharsets.UTF_8);

    private final SqliteStore store;
    private final Keepers keepers;
    private final Optional<byte[]> check;
    private final List<KeptKey> kept;

    /** By id, in the order named; with where each is from. */
    private final Map<String, AesGcmSeal> earlier = new LinkedHashMap<>();

    private final Map<String, String> places = new LinkedHashMap<>();

    private MasterKey(SqliteStore store, Keepers keepers) {
        this.store = store;
        this.keepers = keepers;
        this.check = StoreValue.read(store.readers(), CHECK);
        this.kept = KeptKey.all(store.readers());
    }

    /** @param previous where keys are that sealed before; they only open */
    static KeyRing unlock(SqliteStore store, KeyPlace place, List<KeyPlace> previous, Keepers keepers) {
        return new MasterKey(store, keepers).unlock(place, previous);
    }

    /** What every database has from its first start on: says which key seals, and that it is whole. */
    static void writeCheck(Tx tx, byte[] sealed) throws SQLException {
        StoreValue.write(tx, CHECK, sealed);
    }

    static byte[] check(Seal seal) {
        return seal.seal(CHECK_TEXT, CHECK);
    }

    private KeyRing unlock(KeyPlace place, List<KeyPlace> previous) {
        if (check.isPresent()) {
            previous.forEach(this::openPrevious);
        }
        Found found = found(place);
        AesGcmSeal seal = seal(found.key());
        KeyRing ring = new KeyRing(seal, place.toString());
        if (check.isEmpty()) {
            begin(ring, found.made());
        } else if (seal.sealedByMe(check.get())) {
            seal.open(check.get(), CHECK);
        } else if (followsEarlier()) {
            takeOver(ring, found.made());
        } else {
            throw new StoreFault(
                    "The database " + store.file() + " was sealed with another key than the one in " + place
                            + " (key " + AesGcmSeal.keyId(check.get()) + ", not " + seal.keyId()
                            + "). Give back the key that it was sealed with (sallyport.key), name it in " + PREVIOUS
                            + " beside the one that is to take its place, or start with an empty data folder");
        }
        if (place instanceof KeyPlace.Kept at) {
            kept.stream()
                    .filter(key -> !key.seals() && !earlier.containsKey(key.id()))
                    .forEach(key -> openKept(at, key));
        }
        earlier.forEach((id, one) -> ring.add(one, String.valueOf(places.get(id))));
        return ring;
    }

    /** The check's key is among those that were named as previous ones. */
    private boolean followsEarlier() {
        return check.isPresent() && earlier.containsKey(AesGcmSeal.keyId(check.get()));
    }

    private void openPrevious(KeyPlace place) {
        try {
            if (place instanceof KeyPlace.Kept at) {
                kept.forEach(key -> openKept(at, key));
            } else {
                add(PlacedKey.read(place, PREVIOUS, store.file(), false), place);
            }
        } catch (StoreFault fault) {
            throw new StoreFault(PREVIOUS + ": " + fault.getMessage(), fault);
        }
    }

    private void openKept(KeyPlace.Kept place, KeptKey key) {
        if (key.place().equals(place.toString())) {
            add(keepers.open(place, key), place);
        }
    }

    private void add(byte[] key, KeyPlace place) {
        AesGcmSeal seal = seal(key);
        earlier.putIfAbsent(seal.keyId(), seal);
        places.putIfAbsent(seal.keyId(), place.toString());
    }

    private static AesGcmSeal seal(byte[] key) {
        AesGcmSeal seal = new AesGcmSeal(key);
        Arrays.fill(key, (byte) 0);
        return seal;
    }

    /** @param made to be written, where the key was made just now and rests in the database; else null */
    private record Found(byte[] key, @Nullable KeptKey made) {

        @Override
        public String toString() {
            return "Found[***]";
        }
    }

    private Found found(KeyPlace place) {
        KeptKey resting = kept.stream().filter(KeptKey::seals).findFirst().orElse(null);
        if (resting != null && resting.place().equals(place.toString()) && place instanceof KeyPlace.Kept at) {
            return new Found(keepers.open(at, resting), null);
        }
        boolean follows = followsEarlier();
        if (resting != null && !follows) {
            throw new StoreFault("The key of the database " + store.file() + " was wrapped by " + resting.place()
                    + ", and sallyport.key names " + place + "; name that one again, or name it in " + PREVIOUS
                    + " for another to take its place");
        }
        if (!(place instanceof KeyPlace.Kept at)) {
            return new Found(PlacedKey.read(place, "sallyport.key", store.file(), check.isEmpty() || follows), null);
        }
        if (check.isPresent() && !follows) {
            throw new StoreFault(
                    "The database " + store.file() + " was sealed with a key from a file or a variable, and"
                            + " sallyport.key names " + place + "; give back that key, name it in " + PREVIOUS
                            + " for another to take its place, or start with an empty data folder");
        }
        Keepers.Made made = follows ? keepers.makeProven(at) : keepers.make(at);
        return new Found(made.plain(), made.resting());
    }

    private void begin(KeyRing ring, @Nullable KeptKey made) {
        byte[] sealed = check(ring);
        store.writer().write(tx -> {
            // With the check in one transaction: a key that sealed something must not be lost, and one that sealed
            // nothing is no harm.
            if (made != null) {
                made.write(tx);
            }
            writeCheck(tx, sealed);
            return sealed.length;
        });
    }

    /** From here on the new key seals; what the old one sealed stays as it is until it is sealed anew. */
    private void takeOver(KeyRing ring, @Nullable KeptKey made) {
        String id = AesGcmSeal.keyId(check.orElseThrow());
        Objects.requireNonNull(earlier.get(id)).open(check.orElseThrow(), CHECK);
        byte[] sealed = check(ring);
        store.writer().write(tx -> {
            KeptKey.retire(tx, id);
            if (made != null) {
                made.write(tx);
            }
            writeCheck(tx, sealed);
            return sealed.length;
        });
    }
}
