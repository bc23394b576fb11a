package io.sallyport.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the master key, makes it at first start, and makes sure that it is the one that the database was sealed with. */
final class MasterKey {

    static final int BYTES = 32;

    private static final String CHECK = "key-check";
    private static final byte[] CHECK_TEXT = "sallyport key check".getBytes(StandardCharsets.UTF_8);

    private MasterKey() {}

    static Seal unlock(SqliteStore store, KeyPlace place, List<KeyKeeper> keepers) {
        Optional<byte[]> check = check(store.readers());
        byte[] resting = KeptKey.resting(store.readers());
        Found found = switch (place) {
            case KeyPlace.Kept kept -> kept(kept, resting, check.isPresent(), store.file(), keepers);
            case KeyPlace.InFile file -> Found.plain(read(unwrapped(file, resting), store, check.isPresent()));
            case KeyPlace.InEnvironment name -> Found.plain(read(unwrapped(name, resting), store, check.isPresent()));
        };
        AesGcmSeal seal = new AesGcmSeal(found.key());
        Arrays.fill(found.key(), (byte) 0);
        byte[] made = found.resting();
        if (check.isEmpty()) {
            byte[] sealed = seal.seal(CHECK_TEXT, CHECK);
            store.writer().write(tx -> {
                // With the check in one transaction: a key that sealed something must not be lost, and one that sealed
                // nothing is no harm.
                if (made != null) {
                    KeptKey.write(tx, made);
                }
                PreparedStatement insert = tx.prepare("insert into store_value (name, value) values (?, ?)");
                insert.setString(1, CHECK);
                insert.setBytes(2, sealed);
                return insert.executeUpdate();
            });
        } else if (!seal.sealedByMe(check.get())) {
            throw new StoreFault(
                    "The database " + store.file() + " was sealed with another key than the one in " + place
                            + " (key " + AesGcmSeal.keyId(check.get()) + ", not " + seal.keyId()
                            + "). Give back the key that it was sealed with (sallyport.key), or start with an empty data folder");
        } else {
            seal.open(check.get(), CHECK);
        }
        return seal;
    }

    /** @param resting to be written where the key was made just now; null for one that is at its place */
    private record Found(byte[] key, byte @Nullable [] resting) {

        static Found plain(byte[] key) {
            return new Found(key, null);
        }

        @Override
        public String toString() {
            return "Found[***]";
        }
    }

    private static Found kept(
            KeyPlace.Kept place, byte @Nullable [] resting, boolean inUse, Path database, List<KeyKeeper> keepers) {
        KeyKeeper keeper = keepers.stream()
                .filter(one -> one.kind().equals(place.kind()))
                .findFirst()
                .orElseThrow(() -> new StoreFault("sallyport.key names " + place.kind() + ", which is not there"));
        if (resting != null) {
            if (!KeptKey.place(resting).equals(place.toString())) {
                throw new StoreFault("The key of the database " + database + " was wrapped by " + KeptKey.place(resting)
                        + ", and sallyport.key names " + place + "; name that one again");
            }
            return Found.plain(thirtyTwo(keeper.open(place.key(), KeptKey.wrapped(resting)), place));
        }
        if (inUse) {
            throw new StoreFault("The database " + database + " was sealed with a key from a file or a variable, and"
                    + " sallyport.key names " + place + "; give back that key, or start with an empty data folder");
        }
        KeyKeeper.Made made = keeper.make(place.key());
        return new Found(thirtyTwo(made.plain(), place), KeptKey.of(place, made.wrapped()));
    }

    private static byte[] thirtyTwo(byte[] key, KeyPlace place) {
        if (key.length != BYTES) {
            throw new StoreFault("The key from " + place + " has " + key.length + " bytes; it must be " + BYTES);
        }
        return key;
    }

    private static KeyPlace unwrapped(KeyPlace place, byte @Nullable [] resting) {
        if (resting != null) {
            throw new StoreFault("The key of this database was wrapped by " + KeptKey.place(resting)
                    + ", and sallyport.key names " + place + "; name that one again");
        }
        return place;
    }

    private static Optional<byte[]> check(Readers readers) {
        return readers.read(connection -> {
            try (PreparedStatement select =
                    connection.prepareStatement("select value from store_value where name = ?")) {
                select.setString(1, CHECK);
                try (ResultSet rows = select.executeQuery()) {
                    return rows.next() ? Optional.of(rows.getBytes(1)) : Optional.empty();
                }
            }
        });
    }

    private static byte[] read(KeyPlace place, SqliteStore store, boolean inUse) {
        Path database = store.file();
        return switch (place) {
            case KeyPlace.Kept kept -> throw new IllegalStateException(kept + " is asked, and not read");
            case KeyPlace.InEnvironment(String name, @Nullable String value) -> {
                if (value == null) {
                    throw new StoreFault(
                            "The environment variable " + name + ", which sallyport.key names, is not set");
                }
                yield decode(value, place);
            }
            case KeyPlace.InFile(Path file) -> {
                try {
                    yield readFile(file.toAbsolutePath().normalize(), database, inUse);
                } catch (IOException e) {
                    throw new StoreFault("The key in " + place + " can't be used: " + e, e);
                }
            }
        };
    }

    private static byte[] readFile(Path file, Path database, boolean inUse) throws IOException {
        refuseBeside(file, database);
        if (!Files.exists(file)) {
            if (inUse) {
                throw new StoreFault(
                        "The key that the database " + database + " was sealed with is gone: there is no file " + file);
            }
            make(file);
        }
        OwnerOnly.refuseReadableByOthers(file, "The key file");
        OwnerOnly.refuseWritableByOthers(file, "The key file");
        return decode(Files.readString(file, StandardCharsets.US_ASCII), new KeyPlace.InFile(file));
    }

    private static void make(Path file) throws IOException {
        byte[] key = new byte[BYTES];
        new SecureRandom().nextBytes(key);
        Path folder = file.getParent();
        if (folder != null) {
            OwnerOnly.createFolders(folder);
        }
        OwnerOnly.createFile(
                file, (Base64.getEncoder().encodeToString(key) + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** Whoever copies or backs up the folder must not get the key with it. Symbolic links are followed: the place counts, not the name. */
    private static void refuseBeside(Path file, Path database) throws IOException {
        Path data = database.toRealPath().getParent();
        Path folder = nearestReal(file.toAbsolutePath().normalize());
        if (data != null && folder.startsWith(data)) {
            throw new StoreFault(
                    "The key file " + file + " lies in the folder of the database, " + data + "; keep it elsewhere");
        }
    }

    private static Path nearestReal(Path path) throws IOException {
        for (Path at = path; at != null; at = at.getParent()) {
            if (Files.exists(at)) {
                return at.toRealPath().resolve(at.relativize(path)).normalize();
            }
        }
        return path;
    }

    /** @throws StoreFault without the text: it may be most of a key */
    private static byte[] decode(String text, KeyPlace place) {
        byte[] key;
        try {
            key = Base64.getDecoder().decode(text.strip());
        } catch (IllegalArgumentException e) {
            throw new StoreFault("The key in " + place + " is not base64");
        }
        if (key.length != BYTES) {
            throw new StoreFault(
                    "The key in " + place + " has " + key.length + " bytes; it must be " + BYTES + " in base64");
        }
        return key;
    }
}
