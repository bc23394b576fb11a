package io.sallyport.proxy.tls;

import io.sallyport.proxy.InterceptionRoot;
import io.sallyport.store.Readers;
import io.sallyport.store.Seal;
import io.sallyport.store.SealedColumn;
import io.sallyport.store.Tx;
import io.sallyport.store.Writer;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who stands behind a leaf: a root that lives long and signs rarely, and below it an authority for each name of the rule book, which lives
 * a week at most and can sign for that name alone. All rest in the database, sealed, so that every node on it shows the same root.
 */
public final class InterceptionAuthority implements InterceptionRoot {

    /** Where its private keys rest, sealed: a root's, and those of intermediates. */
    public static final SealedColumn SEALED_ROOTS = JdbcAuthorities.SEALED;

    /** As {@link #SEALED_ROOTS}. */
    public static final SealedColumn SEALED_INTERMEDIATES = JdbcIntermediates.SEALED;

    private final Anchors anchors;
    private final Intermediates intermediates;
    private final Lifetimes lifetimes;
    private final Clock clock;
    private final Supplier<SignableNames> names;

    /** As many as leaves: there is at most one for each. */
    static final int INTERMEDIATES = 10_000;

    /** Every sandbox must be given the successor: that takes people time. */
    private static final Duration WARNED_AHEAD = Duration.ofDays(90);

    /** What the authority works with. */
    public record Store(Writer writer, Readers readers, Seal seal) {}

    InterceptionAuthority(
            Anchors anchors, Store store, Supplier<SignableNames> names, Lifetimes lifetimes, Clock clock) {
        this.anchors = anchors;
        this.names = names;
        this.lifetimes = lifetimes;
        this.clock = clock;
        this.intermediates = new Intermediates(
                new JdbcIntermediates(store.writer, store.readers, store.seal), lifetimes, clock, INTERMEDIATES);
    }

    /**
     * With roots of the broker's own: the stored ones, and a new one where none holds.
     *
     * @param names the hosts of the rule book in force, and the hop's own; asked at each use
     * @throws io.sallyport.store.StoreFault when the store can't be used, or the root was sealed with another key: a new root in its
     *     place would break every running sandbox without a word
     */
    public static InterceptionAuthority open(
            Store store, Supplier<SignableNames> names, Lifetimes lifetimes, Clock clock) {
        OwnRoots roots = OwnRoots.open(store.writer, store.readers, store.seal, lifetimes, clock);
        return new InterceptionAuthority(roots, store, names, lifetimes, clock);
    }

    /**
     * With an authority that was brought along, an intermediate of a company's own CA.
     *
     * @param file PEM: its certificate, those above it in order, and its private key
     * @throws AuthorityUnusable saying what is wrong with the file
     */
    public static InterceptionAuthority brought(
            Path file, Store store, Supplier<SignableNames> names, Lifetimes lifetimes, Clock clock) {
        return new InterceptionAuthority(new BroughtAuthority(file, clock), store, names, lifetimes, clock);
    }

    /** Drops what is constrained to names that nothing names any more. */
    SignableNames tidy() {
        SignableNames now = names.get();
        intermediates.retain(
                constraint -> now.hosts().contains(constraint) || now.parents().contains(constraint));
        return now;
    }

    @Override
    public String pem() {
        anchors.refresh();
        return Certificates.pem(anchors.trusted());
    }

    @Override
    public Duration timeLeft() {
        anchors.refresh();
        try {
            return Duration.between(clock.instant(), anchors.signer().end());
        } catch (AuthorityExpired past) {
            return Duration.ZERO;
        }
    }

    @Override
    public Optional<String> warning() {
        anchors.refresh();
        String problem = anchors.problem();
        if (problem != null) {
            return Optional.of(problem);
        }
        try {
            Anchor signer = anchors.signer();
            Duration life = Duration.between(signer.certificate().getNotBefore().toInstant(), signer.end());
            Duration ahead = life.dividedBy(4);
            Duration left = Duration.between(clock.instant(), signer.end());
            return left.compareTo(ahead.compareTo(WARNED_AHEAD) < 0 ? ahead : WARNED_AHEAD) < 0
                    ? Optional.of("the interception CA ends soon")
                    : Optional.empty();
        } catch (AuthorityExpired past) {
            return Optional.of(String.valueOf(past.getMessage()));
        }
    }

    @Override
    public List<State> states() {
        anchors.refresh();
        return anchors instanceof OwnRoots own ? own.states() : List.of();
    }

    @Override
    public RollOver succeed(Tx tx) throws SQLException {
        return anchors instanceof OwnRoots own ? own.succeed(tx) : brought();
    }

    @Override
    public RollOver promote(Tx tx) throws SQLException {
        return anchors instanceof OwnRoots own ? own.promote(tx) : brought();
    }

    @Override
    public RollOver withdraw(Tx tx, String id) throws SQLException {
        return anchors instanceof OwnRoots own ? own.withdraw(tx, id) : brought();
    }

    private static RollOver brought() {
        return new RollOver.Refused("the authority was brought along (sallyport.proxy.authority); change its file");
    }

    /** The issuer for a host that needs neither the database nor a signature; null where there is none. For an event loop. */
    @Nullable
    Issuer current(String host) {
        if (anchors.stale()) {
            return null;
        }
        try {
            Anchor anchor = anchors.signer();
            return names.get()
                    .constraint(host)
                    .map(constraint -> intermediates.current(anchor, constraint))
                    .orElse(null);
        } catch (AuthorityExpired past) {
            return null;
        }
    }

    /** @throws AuthorityExpired when every authority is past its end @throws NotSignable for a host that nothing names */
    Issuer issuer(String host) {
        anchors.refresh();
        String constraint = names.get().constraint(host).orElseThrow(() -> new NotSignable(host));
        return intermediates.issuer(anchors, anchors.signer(), constraint);
    }

    /** A leaf that never outlives its issuer. */
    X509Certificate leaf(String host, PublicKey key, Issuer issuer) {
        Instant now = clock.instant();
        Instant until = now.plus(lifetimes.leaf());
        var validity = new Certificates.Validity(
                now.minus(Lifetimes.BACKDATED), until.isBefore(issuer.end()) ? until : issuer.end());
        return Certificates.leaf(host, key, new Certificates.Signer(issuer.certificate(), issuer.key()), validity);
    }
}
