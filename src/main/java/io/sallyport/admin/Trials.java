package io.sallyport.admin;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sallyport.credential.Credential;
import io.sallyport.credential.HeldSecrets;
import io.sallyport.credential.HeldSecrets.PendingRevocation;
import io.sallyport.credential.HeldSecrets.Trial;
import io.sallyport.rules.RuleBooks;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Tries credentials out at their sources for an operator, and says what was found; every test is told to the ledger. */
public final class Trials {

    /** Sources have deadlines of their own, a minute at most, and one question may wait for another. */
    private static final long PATIENCE_SECONDS = 150;

    private final RuleBooks books;
    private final HeldSecrets secrets;
    private final Deeds deeds;

    /**
     * What was found.
     *
     * @param parts names of what the source gave; empty where it gave nothing
     * @param seconds for which what it gave is good; 0 where it gave nothing
     * @param kind {@code missing}, {@code denied}, {@code down}, {@code bad}; null where it works
     * @param cause null where it works
     */
    public record Found(
            boolean works,
            List<String> parts,
            @JsonProperty("lives_seconds") long seconds,
            @Nullable String kind,
            @Nullable String cause) {

        static Found of(Trial trial) {
            return switch (trial) {
                case Trial.Works(var parts, var lives) ->
                    new Found(true, parts.stream().sorted().toList(), lives.toSeconds(), null, null);
                case Trial.Fails(String kind, String cause) -> new Found(false, List.of(), 0, kind, cause);
            };
        }
    }

    public Trials(RuleBooks books, HeldSecrets secrets, Deeds deeds) {
        this.books = books;
        this.secrets = secrets;
        this.deeds = deeds;
    }

    /** Empty for a credential that there is not. Blocks as long as the source does. */
    public Optional<Found> test(String name, String by) {
        Credential credential = books.current().credentials().get(name);
        if (credential == null) {
            return Optional.empty();
        }
        Found found = Found.of(trial(credential));
        deeds.did(by, "credential test " + name + ": " + (found.kind() == null ? "works" : found.kind()));
        return Optional.of(found);
    }

    private Trial trial(Credential credential) {
        try {
            return secrets.test(credential).toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return new Trial.Fails("down", "its source did not answer within " + PATIENCE_SECONDS + " s");
        } catch (ExecutionException e) {
            // Its message may quote what was read.
            return new Trial.Fails("bad", "it could not be tried");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Trial.Fails("down", "the broker is stopping");
        }
    }

    /** What sources have not taken back yet, oldest first. */
    public List<PendingRevocation> revocations() {
        return secrets.pendingRevocations();
    }

    /** How many were given up since the start. */
    public long abandoned() {
        return secrets.abandonedRevocations();
    }
}
