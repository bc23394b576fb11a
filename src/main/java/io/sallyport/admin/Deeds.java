package io.sallyport.admin;

import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.store.Writer;
import org.jspecify.annotations.Nullable;

/** What operators did, told to the ledger, durably. */
public final class Deeds {

    private static final int LONGEST = 2000;

    private final Writer writer;
    private final Ledger ledger;

    public Deeds(Writer writer, Ledger ledger) {
        this.writer = writer;
        this.ledger = ledger;
    }

    /** @throws io.sallyport.store.StoreFault when it can't be recorded */
    public void did(String by, String what) {
        record(new Fact.Operated(by, what));
    }

    /** @param refusedBecause null when the book came into force */
    public void read(String by, String digest, @Nullable String refusedBecause) {
        record(new Fact.BookRead(by, digest, refusedBecause == null ? null : cut(refusedBecause)));
    }

    private void record(Fact fact) {
        writer.write(tx -> ledger.append(tx, fact));
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
