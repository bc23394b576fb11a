package io.sallyport.credential;

import static java.util.Objects.requireNonNull;

import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.Fetching;
import io.sallyport.credential.source.SecretSource.Waits;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.grant.Grant;
import io.sallyport.grant.TwoClocks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One secret in memory, or the lack of it, each for as long as it may be believed. Its source is asked once for all who wait; a secret that
 * is used is asked for again before its time is over, and one that lives on is served while its source is down.
 */
final class WarmSecret {

    /** What lives shorter is asked for when it is needed: asking ahead would only mean asking more often. */
    private static final Duration RENEWED_AHEAD = Duration.ofSeconds(10);

    private static final long LONGEST_PAUSE = Duration.ofSeconds(30).toNanos();

    /** From one refusal by a destination that is believed to the next: an agent can provoke them at will. */
    private static final long BETWEEN_REJECTIONS = Duration.ofSeconds(10).toNanos();

    private final CompiledCredential credential;
    private final @Nullable Grant grant;
    private final WarmSecrets home;

    private volatile @Nullable SecretState state;
    private volatile long used;
    /** What is held must not be served before its source was asked once more. */
    private volatile boolean doubted;

    private @Nullable CompletableFuture<SecretState> flight;
    /** Counts the events after which what was asked for before is too old to be kept. */
    private long epoch;

    private boolean rejected;
    private long rejectionsFrom;
    private int failures;
    private boolean gone;

    /** @param grant whom it is for; null for a shared one */
    WarmSecret(CompiledCredential credential, @Nullable Grant grant, WarmSecrets home) {
        this.credential = credential;
        this.grant = grant;
        this.home = home;
        this.used = home.nanos();
        this.rejectionsFrom = used;
    }

    CompiledCredential credential() {
        return credential;
    }

    @Nullable
    Grant grant() {
        return grant;
    }

    /** What is known, without asking anybody. */
    @Nullable
    SecretState known() {
        return state;
    }

    /** Already complete when it is warm; null when it was dropped, and another is to be taken. */
    @Nullable
    CompletableFuture<SecretState> get() {
        used = home.nanos();
        SecretState now = state;
        return now != null && !doubted && home.good(now) ? CompletableFuture.completedFuture(now) : fly(false);
    }

    private @Nullable CompletableFuture<SecretState> fly(boolean ahead) {
        CompletableFuture<SecretState> mine;
        synchronized (this) {
            if (gone) {
                return null;
            }
            if (flight != null) {
                return flight;
            }
            SecretState now = state;
            if (!ahead && now != null && !doubted && home.good(now)) {
                return CompletableFuture.completedFuture(now);
            }
            mine = new CompletableFuture<>();
            flight = mine;
        }
        ask(mine);
        return mine;
    }

    private void ask(CompletableFuture<SecretState> mine) {
        Flight going;
        boolean refused;
        synchronized (this) {
            // Held while the source is asked, so that "unchanged" is still true of something when the answer comes.
            SecretState.Ready held =
                    state instanceof SecretState.Ready ready && ready.secret().hold() ? ready : null;
            going = new Flight(mine, held, epoch, home.now());
            refused = held != null && rejected;
        }
        Object known = going.held == null ? null : going.held.stamp();
        home.fetching().fetch(credential.source(), home.fetch(credential, known, refused, grant), going);
    }

    /** One question, from its asking to its answer. */
    private final class Flight implements Fetching.Landing {

        private final CompletableFuture<SecretState> future;
        private final SecretState.@Nullable Ready held;
        private final long began;
        private final TwoClocks.Deadline asked;

        Flight(
                CompletableFuture<SecretState> future,
                SecretState.@Nullable Ready held,
                long began,
                TwoClocks.Deadline asked) {
            this.future = future;
            this.held = held;
            this.began = began;
            this.asked = asked;
        }

        @Override
        public void fetched(Fetched fetched) {
            switch (fetched) {
                case Fetched.Given given -> given(given);
                case Fetched.Unfit(Fetched.Given given, SourceFault fault) -> {
                    home.revocations().discard(credential.name(), given);
                    failed(fault);
                }
                case Fetched.Unchanged(Duration lives) -> {
                    if (held == null) {
                        failed(SourceFault.bad("its source says that nothing has changed, and nothing was held"));
                    } else {
                        land(SecretState.Ready.of(held.secret(), held.stamp(), held.parts(), life(lives)));
                    }
                }
            }
        }

        private void given(Fetched.Given given) {
            try {
                String problem = HeldSecret.problem(given.material(), credential.injection());
                if (problem != null) {
                    home.revocations().discard(credential.name(), given);
                    failed(SourceFault.bad(problem));
                    return;
                }
                land(home.ready(credential, given, life(given.lives())));
            } catch (RuntimeException e) {
                home.revocations().discard(credential.name(), given);
                failed(SourceFault.bad(
                        "its secret can't be used (" + e.getClass().getSimpleName() + ")"));
            }
        }

        /** Counted from the asking: how long the answer was on its way is time that it has lived already. */
        private SecretState.Life life(Duration lives) {
            TwoClocks.Deadline until =
                    new TwoClocks.Deadline(asked.wallMillis() + lives.toMillis(), asked.nanos() + home.nanosOf(lives));
            long ahead = lives.compareTo(RENEWED_AHEAD) < 0
                    ? Long.MAX_VALUE
                    : (long) (home.nanosOf(lives) * (0.65 + 0.2 * home.jitter()));
            return new SecretState.Life(until, ahead == Long.MAX_VALUE ? null : asked.nanos() + ahead);
        }

        @Override
        public void failed(SourceFault fault) {
            long pause;
            synchronized (WarmSecret.this) {
                failures++;
                pause = pause(failures);
            }
            boolean lives = fault.kind() == SourceFault.Kind.DOWN && held != null && home.good(held);
            land(
                    lives
                            ? requireNonNull(held).troubled(fault, home.nanos() + pause)
                            : new SecretState.Missing(fault, home.nanos() + pause));
        }

        private void land(SecretState next) {
            SecretState before = null;
            boolean again;
            boolean dropped;
            synchronized (WarmSecret.this) {
                dropped = gone;
                again = !gone && began != epoch;
                if (!dropped && !again) {
                    before = state;
                    state = next;
                    flight = null;
                    doubted = false;
                    rejected = false;
                    failures = next.fault() == null ? 0 : failures;
                } else if (dropped) {
                    flight = null;
                }
            }
            settle(next, before, dropped || again);
            if (again) {
                ask(future);
            } else {
                if (!dropped) {
                    home.tell(credential.name(), next);
                }
                future.complete(next);
            }
        }

        /** Each look at a secret that led to no state lets go of it; what took another's place lets go of that one. */
        private void settle(SecretState next, @Nullable SecretState before, boolean unused) {
            boolean passedOn =
                    held != null && next instanceof SecretState.Ready ready && ready.secret() == held.secret();
            if (held != null && (!passedOn || unused)) {
                held.secret().letGo();
            }
            if (unused && !passedOn) {
                next.letGo();
            }
            if (before != null) {
                before.letGo();
            }
        }
    }

    /** Of a disk, a second; of another machine, growing to half a minute, each time by chance up to a fifth less. */
    private long pause(int failed) {
        long second = Duration.ofSeconds(1).toNanos();
        if (credential.source().waits() == Waits.DISK) {
            return second;
        }
        long grown = Math.min(second << Math.min(failed - 1, 5), LONGEST_PAUSE);
        return (long) (grown * (1 - 0.2 * home.jitter()));
    }

    /** What is held, or asked for at this moment, is not believed any longer. */
    synchronized void doubt() {
        epoch++;
        failures = 0;
        doubted = true;
    }

    /**
     * A destination has refused the secret.
     *
     * @return whether another may be had by asking for a lease once more
     */
    synchronized boolean rejected(HeldSecret refused) {
        if (gone || !credential.source().renewable() || !(state instanceof SecretState.Ready ready)) {
            return false;
        }
        if (ready.secret() != refused || rejected) {
            return true;
        }
        long now = home.nanos();
        if (now - rejectionsFrom < 0) {
            return false;
        }
        rejectionsFrom = now + BETWEEN_REJECTIONS;
        epoch++;
        rejected = true;
        doubted = true;
        return true;
    }

    /** Whether nobody has asked for it in that time, in nanoseconds. */
    boolean unusedFor(long time) {
        return home.nanos() - used > time;
    }

    /** To be called about once a second. */
    void tick() {
        if (state instanceof SecretState.Ready ready && ready.due(home.nanos())) {
            fly(true);
        }
    }

    /** Lets go of it for good: it is given back at its source when the last lease on it is closed. */
    void drop() {
        SecretState last;
        synchronized (this) {
            gone = true;
            last = state;
            state = null;
        }
        if (last != null) {
            last.letGo();
        }
    }
}
