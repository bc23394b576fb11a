package io.sallyport.credential.source;

import io.sallyport.document.Keys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where one credential document says that its secret is, and how it is had from there. Immutable; holds no secret, and its
 * {@code toString} tells it from every other: it is part of the document's version. A record of what the document says does.
 */
public interface SecretSource {

    /** {@code source.kind} in documents. */
    String kind();

    /**
     * Asks the source. May block until {@link #deadline}, and is interrupted then; called for one key once at a time.
     *
     * @throws SourceFault when it gives nothing, whatever the reason
     * @throws InterruptedException when it is interrupted, which counts as {@link SourceFault.Kind#DOWN}
     */
    Fetched fetch(Fetch fetch) throws SourceFault, InterruptedException;

    /** How one fetched secret is used. */
    default Sharing sharing() {
        return Sharing.SHARED;
    }

    /** What a fetch waits for. */
    default Waits waits() {
        return Waits.NETWORK;
    }

    /** How long a fetch may take, at most a minute. */
    default Duration deadline() {
        return Duration.ofSeconds(10);
    }

    /** Whether asking again can give another secret while the broker runs: only then is a destination's 401 a reason to ask. */
    default boolean renewable() {
        return true;
    }

    /**
     * The same source, asked for less: a scope's {@code narrow}. A kind that takes none notes a problem on the keys.
     *
     * @return empty where a problem has been noted
     */
    default Optional<SecretSource> narrowed(Keys keys) {
        // Said once of all, and not once more of each.
        keys.known(keys.names().toArray(String[]::new));
        keys.problem("can't be: a source of kind " + kind() + " takes no narrowing; allowed: leave it out");
        return Optional.empty();
    }

    /** Whether a person enters what it begins with: {@link SourceTools#local} has it then. */
    default boolean writtenIn() {
        return false;
    }

    /** Where else than to the destinations an entered secret goes: it is sealed together with that. Empty for nowhere. */
    default String sealedWith() {
        return "";
    }

    /** Files beside the document that say whom to trust: the digest of the rule book covers them. */
    default List<Path> trusts() {
        return List.of();
    }

    /** How one fetched secret is used. */
    enum Sharing {
        /** By every grant that may use the credential. */
        SHARED,
        /** By the one grant that it was fetched for; given back at the source when that grant ends. */
        PER_GRANT
    }

    /** What a fetch waits for, which decides the threads it runs on. */
    enum Waits {
        /** A disk or nothing at all: few platform threads, because SQLite's native calls pin virtual ones. */
        DISK,
        /** Another machine: a virtual thread of its own, so that one that hangs keeps nobody else waiting. */
        NETWORK
    }
}
