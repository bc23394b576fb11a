package io.sallyport.credential;

import io.sallyport.credential.source.Fetch;
import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.Fetching;
import io.sallyport.credential.source.Revocations;
import io.sallyport.credential.source.Revoker;
import io.sallyport.credential.source.SecretSource.Sharing;
import io.sallyport.credential.source.SecretSource.Waits;
import io.sallyport.credential.source.SourceTools;
import io.sallyport.grant.Grant;
import io.sallyport.grant.TwoClocks;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Secrets in memory, so that a request need not wait for their sources: by credential, its document's version, and the grant where the source gives each its own. */
final class WarmSecrets {

    private static final Logger LOG = LoggerFactory.getLogger(WarmSecrets.class);
    private static final long UNUSED = Duration.ofMinutes(10).toNanos();
    private static final Duration LONGEST_LIFE = Duration.ofDays(36_525);

    private final SourceTools tools;
    private final Fetching fetching;
    private final Revocations revocations;
    private final TwoClocks clocks;
    private final DoubleSupplier jitter;
    private final AtomicLong read = new AtomicLong();
    private final ConcurrentHashMap<Key, WarmSecret> secrets = new ConcurrentHashMap<>();
    /** The cause that the log was told last, by credential; no more of them than documents have named. */
    private final ConcurrentHashMap<String, String> lacks = new ConcurrentHashMap<>();

    /** @param grant the grant's id; null for a shared secret */
    private record Key(
            String credential, String version, @Nullable String grant) {}

    /** @param jitter from 0 to 1, by chance */
    WarmSecrets(
            SourceTools tools, Fetching fetching, Revocations revocations, TwoClocks clocks, DoubleSupplier jitter) {
        this.tools = tools;
        this.fetching = fetching;
        this.revocations = revocations;
        this.clocks = clocks;
        this.jitter = jitter;
    }

    /** Where it is kept, so that whoever leases it can say that it was refused. */
    record Found(WarmSecret home, CompletableFuture<SecretState> state) {}

    /** Already complete when it is warm. Never fails: a fault of the source is a state that says so. */
    Found secret(CompiledCredential credential, Grant grant) {
        return credential.source().sharing() == Sharing.PER_GRANT
                ? found(credential, grant, new Key(credential.name(), credential.version(), grant.id()))
                : shared(credential);
    }

    private Found shared(CompiledCredential credential) {
        return found(credential, null, new Key(credential.name(), credential.version(), null));
    }

    private Found found(CompiledCredential credential, @Nullable Grant grant, Key key) {
        while (true) {
            WarmSecret secret = secrets.get(key);
            if (secret == null) {
                secret = secrets.computeIfAbsent(key, absent -> new WarmSecret(credential, grant, this));
            }
            CompletableFuture<SecretState> state = secret.get();
            if (state != null) {
                return new Found(secret, state);
            }
            secrets.remove(key, secret);
        }
    }

    /** What is known of a credential at this moment, without asking its source; empty for one that is cold. */
    private List<SecretState> known(CompiledCredential credential) {
        return secrets.values().stream()
                .filter(secret -> secret.credential().name().equals(credential.name()))
                .filter(secret -> secret.credential().version().equals(credential.version()))
                .map(WarmSecret::known)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Why it can't be had, as far as is known; of a source on this machine, as it says when it is asked. */
    CompletableFuture<Optional<String>> lack(CompiledCredential credential) {
        if (credential.source().waits() == Waits.DISK && credential.source().sharing() == Sharing.SHARED) {
            return shared(credential).state().thenApply(WarmSecrets::lack);
        }
        return CompletableFuture.completedFuture(known(credential).stream()
                .flatMap(state -> lack(state).stream())
                .findFirst());
    }

    private static Optional<String> lack(SecretState state) {
        return state instanceof SecretState.Missing missing
                ? Optional.of(missing.fault().cause())
                : Optional.empty();
    }

    /** Asks the source whatever is held. A shared secret is asked for where all do, so that a test never takes its place from a renewal. */
    CompletableFuture<HeldSecrets.Trial> test(CompiledCredential credential) {
        if (credential.source().sharing() == Sharing.PER_GRANT) {
            CompletableFuture<HeldSecrets.Trial> trial = new CompletableFuture<>();
            Fetch fetch = fetch(credential, null, false, null);
            fetching.fetch(credential.source(), fetch, new TrialRun(credential, revocations, trial));
            return trial;
        }
        doubt(credential.name());
        return shared(credential).state().thenApply(this::trial);
    }

    private HeldSecrets.Trial trial(SecretState state) {
        if (state.fault() != null) {
            return TrialRun.fails(state.fault());
        }
        SecretState.Ready ready = (SecretState.Ready) state;
        long left = ready.life().until().nanos() - nanos();
        return new HeldSecrets.Trial.Works(ready.parts(), Duration.ofNanos(Math.max(left, 0)));
    }

    /** What is held of it is not believed any longer. */
    void doubt(String name) {
        secrets.values().stream()
                .filter(secret -> secret.credential().name().equals(name))
                .forEach(WarmSecret::doubt);
    }

    void ended(Grant grant) {
        drop(secret -> secret.grant() != null && secret.grant().id().equals(grant.id()));
    }

    /** What documents no longer name, as they do now, is given back. */
    void inForce(Collection<CompiledCredential> credentials) {
        Set<String> documents =
                credentials.stream().map(CompiledCredential::document).collect(Collectors.toSet());
        drop(secret -> !documents.contains(secret.credential().document()));
    }

    /** To be called about once a second. @param stands whether a grant does */
    void tick(Predicate<Grant> stands) {
        fetching.tick();
        revocations.tick();
        drop(secret -> secret.unusedFor(UNUSED) || (secret.grant() != null && !stands.test(secret.grant())));
        secrets.values().forEach(WarmSecret::tick);
    }

    void dropAll() {
        drop(secret -> true);
    }

    private void drop(Predicate<WarmSecret> which) {
        secrets.forEach((key, secret) -> {
            if (which.test(secret) && secrets.remove(key, secret)) {
                secret.drop();
            }
        });
    }

    /** Once for each lack, and not for each request that meets it: an agent could fill the log. */
    void tell(String name, SecretState state) {
        if (state.fault() == null) {
            lacks.remove(name);
        } else if (!state.fault().cause().equals(lacks.put(name, state.fault().cause()))) {
            LOG.warn(
                    state instanceof SecretState.Missing
                            ? "the credential {} is unavailable: {}"
                            : "the credential {} can't be renewed, what is held is used until its time is over: {}",
                    name,
                    state.fault().cause());
        }
    }

    SecretState ready(CompiledCredential credential, Fetched.Given given, SecretState.Life life) {
        Set<String> parts = new TreeSet<>(given.material().names());
        // By a number and not by a hash: of a secret not even that is to be held where it may be printed.
        String named = credential.name() + "@" + credential.version() + "#" + read.incrementAndGet();
        HeldSecret secret = new HeldSecret(named, credential.injection(), given.material());
        Revoker revoker = given.revoker();
        if (revoker != null) {
            secret.onGone(() -> revocations.revoke(credential.name(), revoker));
        }
        return SecretState.Ready.of(secret, given.stamp(), parts, life);
    }

    Fetch fetch(CompiledCredential credential, @Nullable Object known, boolean rejected, @Nullable Grant grant) {
        return new Fetch(credential.name(), credential.faceDigest(), known, rejected, grant, tools);
    }

    Fetching fetching() {
        return fetching;
    }

    Revocations revocations() {
        return revocations;
    }

    boolean good(SecretState state) {
        return switch (state) {
            case SecretState.Ready ready -> !clocks.passed(ready.life().until());
            case SecretState.Missing missing -> nanos() - missing.until() < 0;
        };
    }

    TwoClocks.Deadline now() {
        return new TwoClocks.Deadline(clocks.clock().millis(), nanos());
    }

    long nanos() {
        return clocks.nanos().getAsLong();
    }

    /** Of at most a hundred years: more would overflow, and then lie in the past. */
    long nanosOf(Duration lives) {
        return lives.compareTo(LONGEST_LIFE) < 0 ? lives.toNanos() : LONGEST_LIFE.toNanos();
    }

    double jitter() {
        return jitter.getAsDouble();
    }
}
