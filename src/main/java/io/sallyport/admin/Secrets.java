package io.sallyport.admin;

import io.sallyport.credential.Credential;
import io.sallyport.credential.LocalSecrets;
import io.sallyport.credential.LocalSecrets.Entry;
import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.rules.RuleBooks;
import io.sallyport.store.Writer;
import java.io.IOException;
import java.io.InputStream;

/** Hands a secret that a person enters to the room that may see it: as a stream that nobody here reads. */
public final class Secrets {

    /** What became of it. */
    public sealed interface Written {
        record Done() implements Written {}

        record Unknown() implements Written {}

        /** @param reason names the credential, never anything of the secret */
        record Refused(String reason) implements Written {}
    }

    private final RuleBooks books;
    private final LocalSecrets local;
    private final Writer writer;
    private final Ledger ledger;

    public Secrets(RuleBooks books, LocalSecrets local, Writer writer, Ledger ledger) {
        this.books = books;
        this.local = local;
        this.writer = writer;
        this.ledger = ledger;
    }

    /** Seals and writes it, and tells the ledger, in one transaction. */
    public Written put(String name, InputStream secret, String by) throws IOException {
        Credential credential = books.current().credentials().get(name);
        if (credential == null) {
            return new Written.Unknown();
        }
        return switch (local.seal(credential, secret)) {
            case Entry.Refused(String reason) -> new Written.Refused(reason);
            case Entry.Taken taken -> {
                writer.write(tx -> {
                    local.put(tx, taken.secret(), by);
                    return ledger.append(tx, new Fact.Operated(by, "credential put " + name));
                });
                yield new Written.Done();
            }
        };
    }
}
