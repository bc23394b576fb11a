package io.sallyport.store;

import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.ledger.LedgerSettings;
import io.sallyport.testing.TestLedger;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;

/** A process of its own that appends, and says so only when told that it is durable; made to be traced and killed. */
final class AppendingChild {

    private AppendingChild() {}

    public static void main(String[] args) throws IOException {
        try (SqliteStore store = SqliteStore.open(Path.of(args[0]));
                FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
            Ledger ledger =
                    Ledger.start(store, Clock.systemUTC(), () -> TestLedger.BOOK, new LedgerSettings("test", "child"));
            for (int i = Integer.parseInt(args[1]); i > 0; i--) {
                Fact fact = new Fact.Operated("child", "append " + i);
                long seq = store.writer().write(tx -> ledger.append(tx, fact)).seq();
                out.write(("acknowledged " + seq + ".\n").getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}
