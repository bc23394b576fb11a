package io.sallyport.admin;

import io.sallyport.rules.RuleBook;
import io.sallyport.rules.RuleBook.Document;
import io.sallyport.rules.RuleBooks;
import io.sallyport.rules.RuleBooks.Reload;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The rule book, read and changed as an operator does; each change is told to the ledger. */
public final class Rules {

    /** What became of a change. */
    public sealed interface Change {
        record Done() implements Change {}

        /** A document in a file is changed there, by whoever reviews files. @param place the file */
        record ReadOnly(String place) implements Change {}

        record Unknown() implements Change {}

        record Refused(List<String> problems) implements Change {}
    }

    private final RuleBooks books;
    private final Deeds deeds;
    private final Clock clock;

    public Rules(RuleBooks books, Deeds deeds, Clock clock) {
        this.books = books;
        this.deeds = deeds;
        this.clock = clock;
    }

    public String digest() {
        return books.current().digest();
    }

    public List<String> problems() {
        return books.problems();
    }

    public List<PolicyView> policies() {
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        return books.current().policies().values().stream()
                .map(policy -> PolicyView.of(policy, today))
                .sorted(Comparator.comparing(PolicyView::name))
                .toList();
    }

    public List<CredentialView> credentials() {
        return books.current().credentials().values().stream()
                .map(CredentialView::of)
                .sorted(Comparator.comparing(CredentialView::name))
                .toList();
    }

    /** @param kind {@code identity}, {@code credential} or {@code policy} */
    public List<Document> documents(String kind) {
        return documents(books.current(), kind);
    }

    public Optional<Document> document(String kind, String name) {
        return documents(kind).stream()
                .filter(document -> document.name().equals(name))
                .findFirst();
    }

    public Change put(String kind, String name, String text, String by) {
        Optional<Document> old = document(kind, name);
        if (old.isPresent() && inFile(old.get())) {
            return new Change.ReadOnly(old.get().place());
        }
        return told(books.put(kind, name, text, by), by, kind + " put " + name);
    }

    public Change remove(String kind, String name, String by) {
        Optional<Document> old = document(kind, name);
        if (old.isEmpty()) {
            return new Change.Unknown();
        }
        return inFile(old.get())
                ? new Change.ReadOnly(old.get().place())
                : told(books.remove(kind, name), by, kind + " removed " + name);
    }

    /** Reads all documents anew. */
    public Change reload(String by) {
        return told(books.reload(), by, "rules reload");
    }

    private Change told(Reload reload, String by, String what) {
        deeds.did(by, what);
        return switch (reload) {
            case Reload.Swapped(RuleBook book) -> {
                deeds.read(by, book.digest(), null);
                yield new Change.Done();
            }
            case Reload.Kept(List<String> problems) -> {
                deeds.read(by, digest(), String.join("; ", problems));
                yield new Change.Refused(problems);
            }
        };
    }

    private static boolean inFile(Document document) {
        return document.home().equals("file");
    }

    private static List<Document> documents(RuleBook book, String kind) {
        return book.documents().stream()
                .filter(document -> document.kind().equals(kind))
                .sorted(Comparator.comparing(Document::name))
                .toList();
    }
}
