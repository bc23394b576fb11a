package io.sallyport.rules;

import io.sallyport.policy.Policy;
import io.sallyport.store.Tx;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The rule book in force, and how another takes its place. */
public interface RuleBooks {

    RuleBook current();

    /** Reads all documents anew; swaps the book whole, or keeps the old one and says what is wrong. */
    Reload reload();

    /**
     * Writes a document of the database and swaps the book, or does neither and says what is wrong. Files are not read anew.
     *
     * @param kind {@code identity}, {@code credential} or {@code policy}
     * @param by who does it, for the record
     */
    Reload put(String kind, String name, String text, String by);

    /** Removes a document of the database and swaps the book, or does neither: what other documents build on stays. */
    Reload remove(String kind, String name);

    sealed interface Reload {
        record Swapped(RuleBook book) implements Reload {}

        /** @param problems each with file, line and what is allowed */
        record Kept(List<String> problems) implements Reload {}
    }

    /** The problems of the last reload, while the book in force is older than the documents; empty otherwise. Feeds health. */
    List<String> problems();

    /** Called synchronously after a swap, with the new book. */
    void onSwapped(Consumer<RuleBook> listener);

    /** Keeps the text of a policy by its digest, so that a live grant can be judged by what it was given. Idempotent. */
    void keepVersion(Tx tx, Policy policy) throws SQLException;

    /** A policy as it stood, compiled; empty when that version was never kept. May read the store: not for an event loop. */
    Optional<Policy> version(String digest);

    /** As {@link #version}, from memory alone: of books in force since the start, and of what was asked for before. */
    Optional<Policy> versionInMemory(String digest);
}
