package io.sallyport.proxy.tls;

import io.sallyport.proxy.InterceptionRoot.RollOver;
import io.sallyport.proxy.InterceptionRoot.State;
import io.sallyport.proxy.InterceptionRoot.Use;
import io.sallyport.store.Readers;
import io.sallyport.store.Seal;
import io.sallyport.store.StoreFault;
import io.sallyport.store.Tx;
import io.sallyport.store.Writer;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The roots that the broker made itself: one that signs, perhaps a successor that clients are being given, and those of the past. They
 * rest in the database, the keys sealed; the nodes on one database show the same ones. A root's key is opened for a signature and not kept.
 */
final class OwnRoots implements Anchors {

    /** How long memory is believed: so late, at most, a node signs with the successor that another node was told to take. */
    static final Duration BELIEVED = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(OwnRoots.class);

    private final Readers readers;
    private final JdbcAuthorities table;
    private final Lifetimes lifetimes;
    private final Clock clock;
    private volatile Known known;

    private record Known(List<Root> roots, Instant readAt) {}

    private OwnRoots(Readers readers, JdbcAuthorities table, Lifetimes lifetimes, Clock clock) {
        this.readers = readers;
        this.table = table;
        this.lifetimes = lifetimes;
        this.clock = clock;
        this.known = new Known(List.of(), Instant.MIN);
    }

    /**
     * The stored roots, and a new one where none holds. Looking and making are one transaction, so that two starts at once still agree on
     * one root. The signer's key is opened once: one that can't be is found at the start.
     */
    static OwnRoots open(Writer writer, Readers readers, Seal seal, Lifetimes lifetimes, Clock clock) {
        OwnRoots roots = new OwnRoots(readers, new JdbcAuthorities(seal), lifetimes, clock);
        writer.write(tx -> {
            Instant now = clock.instant();
            if (signer(JdbcAuthorities.all(tx.connection()), now).isEmpty()) {
                roots.make(tx, now, true);
            }
            return now;
        });
        roots.read();
        roots.key(roots.signer());
        return roots;
    }

    @Override
    public Anchor signer() {
        return signer(known.roots, clock.instant())
                .map(root -> new Anchor(
                        root.id(),
                        root.certificate(),
                        List.of(),
                        root.certificate().getBasicConstraints() >= 1))
                .orElseThrow(() -> new AuthorityExpired(
                        known.roots.getLast().end(),
                        "make a successor (sallyport authority successor), and give it to the sandboxes"));
    }

    @Override
    public List<X509Certificate> trusted() {
        Instant now = clock.instant();
        Optional<Root> signer = signer(known.roots, now);
        List<X509Certificate> trusted = new ArrayList<>();
        signer.ifPresent(root -> trusted.add(root.certificate()));
        known.roots.reversed().stream()
                .filter(root -> root.holds(now) && !signer.equals(Optional.of(root)))
                .forEach(root -> trusted.add(root.certificate()));
        return trusted;
    }

    /** Oldest first. */
    List<State> states() {
        Instant now = clock.instant();
        Optional<Root> signer = signer(known.roots, now);
        return known.roots.stream()
                .map(root -> new State(
                        root.id(),
                        root.certificate().getSubjectX500Principal().getName(),
                        Certificates.fingerprint(root.certificate()),
                        root.certificate().getNotBefore().toInstant(),
                        root.end(),
                        use(root, signer, now)))
                .toList();
    }

    private static Use use(Root root, Optional<Root> signer, Instant now) {
        if (!now.isBefore(root.end())) {
            return Use.ENDED;
        }
        if (root.withdrawnAt() != null) {
            return Use.WITHDRAWN;
        }
        if (signer.equals(Optional.of(root))) {
            return Use.SIGNS;
        }
        return root.signsFrom() == null ? Use.SUCCEEDS : Use.SIGNED;
    }

    @Override
    public boolean stale() {
        Duration age = Duration.between(known.readAt, clock.instant());
        return age.isNegative() || age.compareTo(BELIEVED) > 0;
    }

    @Override
    public void refresh() {
        if (!stale()) {
            return;
        }
        try {
            read();
        } catch (StoreFault fault) {
            // What memory knows is old and not wrong; whoever needs the store is told so elsewhere.
            known = new Known(known.roots, clock.instant());
            LOG.warn("the interception CAs could not be read anew: {}", fault.getMessage());
        }
    }

    private void read() {
        known = new Known(readers.read(JdbcAuthorities::all), clock.instant());
    }

    @Override
    public PrivateKey key(Anchor anchor) {
        return readers.read(connection -> table.key(connection, anchor.id()));
    }

    /** Makes a root that clients can be given while the present one still signs. */
    RollOver succeed(Tx tx) throws SQLException {
        Instant now = clock.instant();
        List<Root> all = JdbcAuthorities.all(tx.connection());
        Optional<Root> waiting = successor(all, now);
        if (waiting.isPresent()) {
            return new RollOver.Refused(
                    "a successor is published already: " + waiting.get().id());
        }
        Root made = make(tx, now, false);
        return changed(tx, made.id());
    }

    /** The published successor signs from now on; the old root is still published, for what was signed with it. */
    RollOver promote(Tx tx) throws SQLException {
        Instant now = clock.instant();
        Optional<Root> waiting = successor(JdbcAuthorities.all(tx.connection()), now);
        if (waiting.isEmpty()) {
            return new RollOver.Refused("there is no successor; make one first, and give it to the sandboxes");
        }
        JdbcAuthorities.signsFrom(tx, waiting.get().id(), now);
        return changed(tx, waiting.get().id());
    }

    /** Clients are to trust it no more. */
    RollOver withdraw(Tx tx, String id) throws SQLException {
        Instant now = clock.instant();
        List<Root> all = JdbcAuthorities.all(tx.connection());
        Optional<Root> meant = all.stream()
                .filter(root -> root.id().equals(id) && root.holds(now))
                .findFirst();
        if (meant.isEmpty()) {
            return new RollOver.Refused("there is no published interception CA " + id);
        }
        if (signer(all, now).equals(meant)) {
            return new RollOver.Refused(id + " is the one that signs; promote a successor first");
        }
        JdbcAuthorities.withdrawn(tx, id, now);
        return changed(tx, id);
    }

    private RollOver changed(Tx tx, String id) {
        tx.afterCommit(() -> known = new Known(known.roots, Instant.MIN));
        return new RollOver.Done(id);
    }

    private Root make(Tx tx, Instant now, boolean signs) throws SQLException {
        KeyPair keys = Certificates.newKeys();
        Instant from = now.minus(Lifetimes.AUTHORITY_BACKDATED).truncatedTo(ChronoUnit.SECONDS);
        X509Certificate certificate =
                Certificates.root(keys, new Certificates.Validity(from, now.plus(lifetimes.authority())));
        Root root = new Root(JdbcAuthorities.id(certificate), certificate, now, signs ? now : null, null);
        table.add(tx, root, keys.getPrivate());
        return root;
    }

    /** The one that was last told to sign; where that is past its end, whichever clients were given last. */
    static Optional<Root> signer(List<Root> all, Instant now) {
        List<Root> holding = all.stream().filter(root -> root.holds(now)).toList();
        return holding.stream()
                .filter(root -> root.signsFrom() != null && !root.signsFrom().isAfter(now))
                .max(Comparator.comparing(root -> Objects.requireNonNull(root.signsFrom())))
                .or(() -> holding.stream().max(Comparator.comparing(Root::createdAt)));
    }

    /** What is published and has never signed. */
    static Optional<Root> successor(List<Root> all, Instant now) {
        Optional<Root> signer = signer(all, now);
        return all.stream()
                .filter(root -> root.holds(now) && root.signsFrom() == null)
                .filter(root -> !signer.equals(Optional.of(root)))
                .findFirst();
    }
}
