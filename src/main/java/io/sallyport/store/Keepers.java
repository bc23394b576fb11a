package io.sallyport.store;

import java.util.Arrays;
import java.util.List;

/** The services that keep keys, asked by the place that settings name. */
record Keepers(List<KeyKeeper> all) {

    Keepers {
        all = List.copyOf(all);
    }

    /** A key for a database, and the same as it rests there. */
    Made make(KeyPlace.Kept place) {
        KeyKeeper keeper = keeper(place);
        KeyKeeper.Made made = keeper.make(place.key());
        return new Made(thirtyTwo(made.plain(), place), KeptKey.sealing(place, made.wrapped()));
    }

    /**
     * As {@link #make}, where something rests that has to be opened later: what may wrap and not open would lose it, and is found out now.
     */
    Made makeProven(KeyPlace.Kept place) {
        Made made = make(place);
        byte[] opened = open(place, made.resting());
        boolean same = Arrays.equals(opened, made.plain());
        Arrays.fill(opened, (byte) 0);
        if (!same) {
            throw new StoreFault("What " + place + " wrapped as a key it opens as another; nothing was sealed with it");
        }
        return made;
    }

    byte[] open(KeyPlace.Kept place, KeptKey key) {
        return thirtyTwo(keeper(place).open(place.key(), key.wrapped()), place);
    }

    private KeyKeeper keeper(KeyPlace.Kept place) {
        return all.stream()
                .filter(one -> one.kind().equals(place.kind()))
                .findFirst()
                .orElseThrow(() -> new StoreFault("sallyport.key names " + place.kind() + ", which is not there"));
    }

    private static byte[] thirtyTwo(byte[] key, KeyPlace place) {
        if (key.length != PlacedKey.BYTES) {
            throw new StoreFault(
                    "The key from " + place + " has " + key.length + " bytes; it must be " + PlacedKey.BYTES);
        }
        return key;
    }

    /** @param plain to be zeroed by whoever takes it */
    record Made(byte[] plain, KeptKey resting) {

        @Override
        public String toString() {
            return "Made[***]";
        }
    }
}
