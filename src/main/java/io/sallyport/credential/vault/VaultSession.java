package io.sallyport.credential.vault;

import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sallyport.credential.VaultSettings;
import io.sallyport.credential.source.SecretFolder;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.net.GuardedExchange;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The broker's one session at the server: logged in when it is first needed, renewed when two thirds of its token's life are over, logged in
 * anew when that does not help. One login at a time, whoever waits for it; one that failed is not tried again for some seconds, so that a
 * hundred credentials do not lock the login out.
 */
public final class VaultSession implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(VaultSession.class);
    private static final Duration BETWEEN_LOGINS = Duration.ofSeconds(5);
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final Duration MOUNTS_KEPT = Duration.ofMinutes(10);
    private static final int LONGEST_ANSWER = 1 << 20;

    private final VaultSettings settings;
    private final GuardedHttp http;
    private final @Nullable VaultLogin login;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Cache<String, VaultMount> mounts = Caffeine.newBuilder()
            .maximumSize(1000)
            .expireAfterWrite(MOUNTS_KEPT)
            .build();

    private volatile @Nullable VaultToken token;
    private volatile @Nullable SourceFault failed;
    private Instant again = Instant.MIN;

    public VaultSession(
            VaultSettings settings,
            GuardedExchange exchange,
            SecretFolder files,
            UnaryOperator<@Nullable String> environment,
            Clock clock) {
        this.settings = settings;
        this.clock = clock;
        this.http = new GuardedHttp(exchange, this::request);
        this.login = settings.login() == null
                ? null
                : new VaultLogin(settings.login(), files, environment, token -> api(token, null), clock);
    }

    private GuardedExchange.Request request(GuardedHttp.Asked asked) {
        return new GuardedExchange.Request(
                asked.method(),
                asked.uri(),
                asked.fields(),
                asked.content(),
                settings.trust(),
                settings.addresses(),
                CALL,
                LONGEST_ANSWER);
    }

    /** Whether there is a server. */
    boolean named() {
        return login != null;
    }

    /** One question to the server, under a token. */
    interface Question {
        VaultAnswer ask(VaultApi api) throws SourceFault, InterruptedException;
    }

    /** What came of it, and the token that it was asked under. */
    record Asked(VaultAnswer answer, VaultToken token) {}

    /**
     * Asks. A refusal may mean that the token is dead (revoked, or its server restored from a copy): then once more, under a new one.
     *
     * @param namespace below the settings' one; null for that itself
     */
    Asked ask(@Nullable String namespace, Question question) throws SourceFault, InterruptedException {
        VaultToken held = token();
        VaultAnswer answer = question.ask(api(held.value(), namespace));
        if (answer.status() != 403 || alive(held)) {
            return new Asked(answer, held);
        }
        forget(held);
        VaultToken fresh = token();
        return new Asked(question.ask(api(fresh.value(), namespace)), fresh);
    }

    private boolean alive(VaultToken held) throws SourceFault, InterruptedException {
        return api(held.value(), null).read("auth/token/lookup-self").status() != 403;
    }

    private void forget(VaultToken held) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (held.equals(token)) {
                token = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /** What is mounted where that path leads; asked once in ten minutes. */
    VaultMount mount(@Nullable String namespace, String path) throws SourceFault, InterruptedException {
        String key = namespace + " " + path;
        VaultMount known = mounts.getIfPresent(key);
        if (known != null) {
            return known;
        }
        VaultAnswer answer = ask(namespace, api -> api.read("sys/internal/ui/mounts/" + path))
                .answer();
        if (!answer.ok()) {
            throw VaultFaults.of(answer.status(), path, "something on that path, or no engine is mounted there");
        }
        VaultMount mount = VaultMount.of(answer.object("data"));
        mounts.put(key, mount);
        return mount;
    }

    /** Something else may be mounted there now. */
    void forgetMount(@Nullable String namespace, String path) {
        mounts.invalidate(namespace + " " + path);
    }

    /** How long what was given under that token may live on. */
    Duration left(VaultToken given) {
        return given.left(clock.instant());
    }

    /** Logged in where it is not, renewed where it is time. */
    VaultToken token() throws SourceFault, InterruptedException {
        VaultToken held = token;
        if (held != null && !held.due(clock.instant())) {
            return held;
        }
        lock.lockInterruptibly();
        try {
            return tended(requireLogin());
        } finally {
            lock.unlock();
        }
    }

    private VaultLogin requireLogin() throws SourceFault {
        if (login == null) {
            throw SourceFault.bad("no Vault server is named; sallyport.vault.address and sallyport.vault.auth do that");
        }
        return login;
    }

    private VaultToken tended(VaultLogin by) throws SourceFault, InterruptedException {
        Instant now = clock.instant();
        VaultToken held = token;
        boolean usable = held != null && !held.over(now);
        if (held != null && usable && !held.due(now)) {
            return held;
        }
        if (now.isBefore(again)) {
            if (held != null && usable) {
                return held;
            }
            throw requireNonNull(failed);
        }
        try {
            VaultToken fresh = held != null && usable ? prolonged(held, by) : by.token();
            token = fresh;
            failed = null;
            return fresh;
        } catch (SourceFault fault) {
            failed = fault;
            again = now.plus(BETWEEN_LOGINS);
            if (held != null && usable) {
                return held;
            }
            throw fault;
        }
    }

    /** Renewal ends where the token's longest life does: it gives less and less then, and a new login has to come before the end. */
    private VaultToken prolonged(VaultToken held, VaultLogin by) throws SourceFault, InterruptedException {
        if (held.renewable()) {
            Instant now = clock.instant();
            VaultAnswer answer = api(held.value(), null).renewSelf();
            var auth = answer.object("auth");
            VaultToken longer = new VaultToken(
                    held.value(),
                    held.login(),
                    now,
                    Duration.ofSeconds(VaultAnswer.number(auth, "lease_duration")),
                    VaultAnswer.flag(auth, "renewable"));
            boolean enough = longer.lives().compareTo(held.lives().dividedBy(2)) > 0
                    || (!by.makes() && longer.lives().compareTo(held.left(now)) > 0);
            if (answer.ok() && enough) {
                return longer;
            }
        }
        return by.token();
    }

    VaultApi api(@Nullable String value, @Nullable String below) {
        String all = below == null
                ? settings.namespace()
                : settings.namespace() == null ? below : settings.namespace() + "/" + below;
        return new VaultApi(requireNonNull(settings.address()), value, all, http);
    }

    /** For a clock of the broker's: a token that nobody uses is kept alive too, and a login that fails is said in the log once. */
    public void keep() {
        if (login == null) {
            return;
        }
        SourceFault before = failed;
        try {
            token();
        } catch (SourceFault fault) {
            if (before == null || !before.cause().equals(fault.cause())) {
                LOG.warn("Vault: {}", fault.cause());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("Vault: the session can't be kept ({})", e.getClass().getSimpleName());
        }
    }

    /** A token that the broker made is ended, and with it all that was leased under it; a given one is left to whoever gave it. */
    @Override
    public void close() {
        VaultToken held = token;
        if (login == null || !login.makes() || held == null || held.over(clock.instant())) {
            return;
        }
        try {
            api(held.value(), null).write("auth/token/revoke-self", Map.of());
        } catch (SourceFault fault) {
            LOG.info("Vault: the broker's token ends by itself, later: {}", fault.cause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        token = null;
    }
}
