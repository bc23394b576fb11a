package io.sallyport.testing;

import io.sallyport.identity.Principal;
import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.ledger.LedgerSettings;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;

/** The real ledger on a test's store. Its first entry, 0, is the start. */
public final class TestLedger {

    public static final String BOOK = "b0".repeat(32);
    public static final Instant NOW = Instant.parse("2026-12-01T10:00:00.123456Z");
    public static final Fact.Actor ACTOR =
            new Fact.Actor("task-1", "grant-1", "site-fixer", new Principal("cluster", "agents:site-fixer"), null);

    private TestLedger() {}

    public static Ledger on(TestStore store) {
        return on(store, Clock.fixed(NOW, ZoneOffset.UTC));
    }

    public static Ledger on(TestStore store, Clock clock) {
        return Ledger.start(store.sqlite(), clock, () -> BOOK, new LedgerSettings("1.2.3", "node-a"));
    }
}
