package io.sallyport.ledger;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The record as one looks at it: from inside a running broker, or from a file beside it. */
public interface LedgerView {

    /**
     * Oldest first. A query by {@code sha256} finds the entry that closes that content (or request), at any size.
     *
     * @throws io.sallyport.store.StoreFault when the record can't be read
     */
    Ledger.Page find(Ledger.Query query);

    Optional<Ledger.Entry> entry(long seq);

    /** How far the record goes now. Kept elsewhere, it is what a later {@link #verify(Head)} is held against. */
    Head head();

    /** Recomputes every hash from the stored bytes. */
    default Ledger.Check verify() {
        return verify(null);
    }

    /**
     * Recomputes every hash from the stored bytes.
     *
     * @param earlier a head that the caller has kept; the record must contain it. Only this finds a record that was rewritten whole
     */
    Ledger.Check verify(@Nullable Head earlier);

    /** @param entries how many there are; @param chainHash of the last one, 64 zeros when there is none */
    record Head(long entries, String chainHash) {

        public Head {
            if (entries < 0) {
                throw new IllegalArgumentException("a head has 0 entries or more: " + entries);
            }
            Sha256.parse(chainHash);
        }

        /** As in {@code 1204:9f86d0…}. */
        public static Head parse(String text) {
            int colon = text.indexOf(':');
            try {
                return new Head(Long.parseLong(text, 0, Math.max(colon, 0), 10), text.substring(colon + 1));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("a head is ENTRIES:CHAIN_HASH, as verify prints it", e);
            }
        }

        @Override
        public String toString() {
            return entries + ":" + chainHash;
        }
    }

    /** Microseconds, as entries keep them. */
    static long micros(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000L), time.getNano() / 1_000);
    }
}
