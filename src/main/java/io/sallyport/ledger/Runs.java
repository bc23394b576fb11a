package io.sallyport.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Look-ups go by runs of entries, each divided in parts: for a key (a name or a hash), a run says in which of its parts entries with that
 * key are. A run is put in at once when it is full, sorted, at the end of its table; entries after the last run are looked through.
 *
 * <p>SHA-256 is random, so an ordinary index over hashes would change one page for each, and each page is written twice (log and database)
 * though it gained 40 bytes; an index over tasks does the same with each task that is at work.
 */
final class Runs {

    /** Small enough that putting one in is not felt by whoever waits, and that looking through an unfinished one takes milliseconds. */
    static final int ENTRIES = 4_096;

    /** As many as a long has bits. */
    static final int PARTS = 64;

    static final int ENTRIES_OF_PART = ENTRIES / PARTS;

    private Runs() {}

    static long runOf(long seq) {
        return seq / ENTRIES;
    }

    /** The bit of the part in which the entry is. */
    static long partOf(long seq) {
        return 1L << seq / ENTRIES_OF_PART % PARTS;
    }

    static String kind(String kind) {
        return "kind:" + kind;
    }

    static String task(String task) {
        return "task:" + task;
    }

    static String grant(String grant) {
        return "grant:" + grant;
    }

    /** What an entry is found by. @param prefix and @param request whole hashes */
    record Keys(
            String kind,
            @Nullable String task,
            @Nullable String grant,
            byte @Nullable [] prefix,
            byte @Nullable [] request) {}
}
