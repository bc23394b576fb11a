package io.sallyport.ledger;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The uses that have no outcome yet, as far as is needed to say before which entry there are none: the next start looks no further back.
 * Where it is not sure it names an earlier one, which costs that start a longer look and nothing else. For one thread.
 */
final class OpenUses {

    /** The bits are moved when so many at their beginning are done. */
    private static final int MOVED_AT = 1 << 20;

    /** How far behind the newest use an open one is followed, in entries: 32 MiB of bits. */
    private static final int FARTHEST = 1 << 28;

    private BitSet open = new BitSet();

    /** The entry of the first bit. It moves between groups only, so that what a group closed can be opened again. */
    private long base;

    private final List<Long> closedInGroup = new ArrayList<>();

    /** From where on no more is followed; -1 for never yet. */
    private long stuck = -1;

    /** A new group: what the one before closed is on disk. @param entries how many there are */
    void groupBegins(long entries) {
        closedInGroup.clear();
        int next = open.nextSetBit(0);
        if (next < 0) {
            base = entries;
        } else if (next >= MOVED_AT) {
            open = open.get(next, open.length());
            base += next;
        }
    }

    void opened(long seq) {
        if (seq - base >= FARTHEST && stuck < 0) {
            stuck = first(seq);
        }
        if (stuck < 0) {
            open.set((int) (seq - base));
        }
    }

    void closed(long use) {
        long bit = use - base;
        if (bit >= 0 && bit < FARTHEST && open.get((int) bit)) {
            open.clear((int) bit);
            closedInGroup.add(use);
        }
    }

    /** Something was rolled back; the record ends at {@code entries} again. */
    void undone(long entries) {
        for (long use : closedInGroup) {
            open.set((int) (use - base));
        }
        closedInGroup.clear();
        long kept = Math.max(0, entries - base);
        if (kept < open.length()) {
            open.clear((int) kept, open.length());
        }
    }

    /** @param entries how many there are: what is named when none is open */
    long first(long entries) {
        if (stuck >= 0) {
            return stuck;
        }
        int next = open.nextSetBit(0);
        return next < 0 ? entries : base + next;
    }
}
