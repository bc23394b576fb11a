package io.sallyport.admin;

import io.sallyport.credential.Credential;
import io.sallyport.credential.Places;
import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.rules.RuleBooks;
import io.sallyport.store.Writer;
import java.util.List;
import java.util.Optional;

/** Confirms where a changed credential may go. What is confirmed is what the person was shown, and nothing that came in between. */
public final class Confirmations {

    /** What became of it. */
    public sealed interface Confirmed {
        record Done() implements Confirmed {}

        record Unknown() implements Confirmed {}

        /** @param unconfirmed what would have to be confirmed instead */
        record Others(List<String> unconfirmed) implements Confirmed {}
    }

    private final RuleBooks books;
    private final Places places;
    private final Writer writer;
    private final Ledger ledger;

    public Confirmations(RuleBooks books, Places places, Writer writer, Ledger ledger) {
        this.books = books;
        this.places = places;
        this.writer = writer;
        this.ledger = ledger;
    }

    /** The places of a credential that nobody has confirmed; empty where there is no such credential. */
    public Optional<List<String>> unconfirmed(String name) {
        return credential(name).map(places::unconfirmed);
    }

    /** What has been confirmed of it so far; empty where there is no such credential. */
    public List<String> confirmed(String name) {
        return credential(name).map(places::confirmed).orElse(List.of());
    }

    /** @param shown what the person was shown, in any order */
    public Confirmed confirm(String name, List<String> shown, String by) {
        Credential credential = credential(name).orElse(null);
        if (credential == null) {
            return new Confirmed.Unknown();
        }
        List<String> unconfirmed = places.unconfirmed(credential);
        if (!unconfirmed.equals(shown.stream().sorted().toList())) {
            return new Confirmed.Others(unconfirmed);
        }
        if (!unconfirmed.isEmpty()) {
            writer.write(tx -> {
                places.confirm(tx, credential, by);
                return ledger.append(
                        tx,
                        new Fact.Operated(by, "credential confirm " + name + ": " + String.join("; ", unconfirmed)));
            });
        }
        return new Confirmed.Done();
    }

    private Optional<Credential> credential(String name) {
        return Optional.ofNullable(books.current().credentials().get(name));
    }
}
