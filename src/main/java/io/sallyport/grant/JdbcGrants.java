package io.sallyport.grant;

import io.sallyport.http.IpRange;
import io.sallyport.policy.Binding;
import io.sallyport.store.Readers;
import io.sallyport.store.Tx;
import io.sallyport.store.Writer;
import java.net.InetAddress;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Grants on disk, with everything that stands in memory too. A grant is on disk before memory knows it, and ends in memory before the disk
 * knows it: so whichever way a crash or a race falls, nothing stands that was not recorded, and nothing is used that was ended.
 */
final class JdbcGrants implements Grants {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcGrants.class);

    private final Writer writer;
    private final Readers readers;
    private final TaskTokens tokens;
    private final Locks locks;
    private final StandingGrants standing;
    private final TwoClocks clocks;
    private final Reservations reservations = new Reservations();
    private final List<Consumer<GrantEnded>> listeners = new CopyOnWriteArrayList<>();

    JdbcGrants(Writer writer, Readers readers, TaskTokens tokens, Locks locks, StandingGrants standing) {
        this.writer = writer;
        this.readers = readers;
        this.tokens = tokens;
        this.locks = locks;
        this.standing = standing;
        this.clocks = standing.clocks();
        load();
    }

    /** What a standing lock matches does not come back: its order may have been recorded before the grant itself was seen. */
    private void load() {
        long now = clocks.clock().millis();
        List<Grant> locked = readers.read(connection -> {
            List<Grant> against = new ArrayList<>();
            GrantRows.eachNotEnded(connection, now, grant -> {
                if (locks.lockedBy(grant).isPresent()) {
                    against.add(grant);
                } else {
                    standing.add(grant);
                }
            });
            return against;
        });
        if (!locked.isEmpty()) {
            writer.write(tx -> ended(tx, locked, EndReason.REVOKED));
        }
    }

    @Override
    public Opening open(Tx tx, Grant grant) throws SQLException {
        if (grant.address() != null) {
            IpRange.parse(grant.address()).orElseThrow();
        }
        String parent = grant.parent();
        if (parent != null && !parentAllows(parent, grant)) {
            return new Opening.Refused("its parent has ended");
        }
        Optional<String> lock = locks.lockedBy(grant);
        if (lock.isPresent()) {
            return new Opening.Refused("locked by " + lock.get());
        }
        GrantRows.insert(tx, grant);
        tx.afterCommit(() -> stand(grant));
        return new Opening.Opened();
    }

    private boolean parentAllows(String parent, Grant child) {
        StandingGrant above = standing.byId(parent);
        if (above == null || above.whyNot(clocks) != null) {
            return false;
        }
        String wider = Narrowing.violatedBy(child, above.grant());
        if (wider != null) {
            throw new IllegalArgumentException("a child can't have " + wider + " than its parent");
        }
        return true;
    }

    /**
     * An order locks in memory, then picks what stands. If it picked before this grant was to be seen, then its lock is seen here; if this
     * look finds no lock, the order picks later and finds the grant.
     */
    private void stand(Grant grant) {
        if (!standing.add(grant)) {
            return;
        }
        StandingGrant opened = standing.byId(grant.id());
        boolean orphaned = opened != null && opened.whyNot(clocks) != null;
        if (orphaned || locks.lockedBy(grant).isPresent()) {
            EndReason reason = orphaned ? EndReason.PARENT_ENDED : EndReason.REVOKED;
            endInMemory(List.of(grant), reason);
            CompletableFuture<?> unused = writer.submit(tx -> ended(tx, List.of(grant), reason));
        }
    }

    @Override
    public Recognition recognise(String token, InetAddress source) {
        Recognition held = recogniseHeld(token, source);
        return held instanceof Recognition.Live(Grant grant) && grant.binding() == Binding.LISTENER
                ? new Recognition.NotLive("bound to its listener")
                : held;
    }

    @Override
    public Recognition recogniseHeld(String token, InetAddress source) {
        Optional<String> jti = tokens.jtiOf(token);
        if (jti.isEmpty()) {
            return new Recognition.NotLive("malformed");
        }
        StandingGrant found = standing.byJti(jti.get());
        if (found == null) {
            return new Recognition.NotLive("unknown");
        }
        String whyNot = found.whyNot(clocks);
        if (whyNot != null) {
            return new Recognition.NotLive(whyNot);
        }
        return found.boundTo(source) ? new Recognition.Live(found.grant()) : new Recognition.NotLive("another address");
    }

    @Override
    public Optional<Grant> named(String token) {
        return tokens.jtiOf(token)
                .flatMap(jti -> Optional.ofNullable(standing.byJti(jti)))
                .map(StandingGrant::grant);
    }

    @Override
    public boolean stands(Grant grant) {
        return standing.stands(grant.id());
    }

    @Override
    public List<Grant> boundTo(InetAddress source) {
        return standing.boundTo(source);
    }

    @Override
    public Optional<Grant> byId(String id) {
        return find(standing.byId(id), "id", id);
    }

    @Override
    public Optional<Grant> byJti(String jti) {
        return find(standing.byJti(jti), "jti", jti);
    }

    private Optional<Grant> find(@Nullable StandingGrant inMemory, String column, String value) {
        return inMemory != null
                ? Optional.of(inMemory.grant())
                : readers.read(connection -> GrantRows.find(connection, column, value));
    }

    @Override
    public List<Grant> standing(Predicate<Grant> selector) {
        return standing.matching(selector);
    }

    @Override
    public Optional<Grant> standing(String id) {
        StandingGrant found = standing.byId(id);
        return found != null && found.whyNot(clocks) == null ? Optional.of(found.grant()) : Optional.empty();
    }

    @Override
    public List<Grant> ofTask(String task) {
        return standing.ofTask(task);
    }

    @Override
    public List<Grant> endInMemory(Collection<Grant> grants, EndReason reason) {
        List<GrantEnded> news = standing.end(grants, reason);
        for (GrantEnded ended : news) {
            listeners.forEach(listener -> tell(listener, ended));
        }
        return news.stream().map(GrantEnded::grant).toList();
    }

    /** One listener's fault must not keep the others from cutting. */
    private static void tell(Consumer<GrantEnded> listener, GrantEnded ended) {
        try {
            listener.accept(ended);
        } catch (RuntimeException e) {
            LOG.error("A listener failed at the end of {}", ended.grant().id(), e);
        }
    }

    private List<Grant> ended(Tx tx, List<Grant> those, EndReason reason) throws SQLException {
        recordEnd(tx, those, reason);
        return those;
    }

    @Override
    public void recordEnd(Tx tx, Collection<Grant> grants, EndReason reason) throws SQLException {
        long now = clocks.clock().millis();
        for (Grant grant : grants) {
            StandingGrant ended = standing.byId(grant.id());
            EndReason known = ended == null ? null : ended.ended();
            GrantRows.end(tx, grant.id(), known == null ? reason : known, now);
        }
    }

    @Override
    public Reservation reserve(Tx tx, Charge charge) throws SQLException {
        List<String> line = new ArrayList<>(2);
        StandingGrant charged = standing.byId(charge.grant().id());
        String whyNot = charged == null ? "unknown" : charged.whyNot(clocks);
        if (whyNot != null) {
            return new Reservation.Ended(whyNot);
        }
        for (StandingGrant at = charged; at != null; at = at.parent()) {
            line.add(at.grant().id());
        }
        return reservations.reserve(tx, charge, line, clocks.clock().instant());
    }

    @Override
    public void giveBack(Tx tx, Reservation.Reserved reserved) throws SQLException {
        reservations.giveBack(tx, reserved);
    }

    @Override
    public Usage usage(String grantId) {
        return readers.read(connection -> GrantRows.usage(connection, grantId));
    }

    @Override
    public void onEnded(Consumer<GrantEnded> listener) {
        listeners.add(listener);
    }

    /**
     * Lets memory go of what has ended or expired, and the disk of days and rates that no longer say anything. To be called from time to time.
     *
     * @return how many grants left memory
     */
    int forgetExpired() {
        int forgotten = standing.forgetEnded();
        Instant now = clocks.clock().instant();
        CompletableFuture<?> unused = writer.submit(tx -> Reservations.forgetOld(tx, now));
        return forgotten;
    }
}
