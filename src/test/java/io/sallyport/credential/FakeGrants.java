package io.sallyport.credential;

import io.sallyport.grant.Charge;
import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.grant.GrantEnded;
import io.sallyport.grant.Grants;
import io.sallyport.grant.Opening;
import io.sallyport.grant.Recognition;
import io.sallyport.grant.Reservation;
import io.sallyport.identity.Isolation;
import io.sallyport.identity.Principal;
import io.sallyport.policy.Binding;
import io.sallyport.store.Tx;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Grants that stand until they are ended; nothing else of that room is needed here. */
final class FakeGrants implements Grants {

    private final Set<String> ended = new HashSet<>();
    private Consumer<GrantEnded> listener = ended -> {};
    Runnable beforeLook = () -> {};

    static Grant grant(String id) {
        Instant now = Instant.parse("2026-12-01T10:00:00Z");
        Principal workload = new Principal("cluster", "agent");
        return new Grant(
                id,
                "jti-" + id,
                "task-" + id,
                null,
                0,
                "fixer",
                "digest",
                new TreeSet<>(Set.of("read")),
                Set.of(),
                workload,
                null,
                Isolation.CONTAINER,
                null,
                100,
                1_000_000,
                now,
                now.plusSeconds(900),
                null,
                Binding.ADDRESS);
    }

    @Override
    public boolean stands(Grant grant) {
        beforeLook.run();
        return !ended.contains(grant.id());
    }

    @Override
    public List<Grant> endInMemory(Collection<Grant> grants, EndReason reason) {
        for (Grant grant : grants) {
            ended.add(grant.id());
            listener.accept(new GrantEnded(grant, reason));
        }
        return List.copyOf(grants);
    }

    @Override
    public void onEnded(Consumer<GrantEnded> heard) {
        listener = heard;
    }

    @Override
    public Opening open(Tx tx, Grant grant) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Recognition recognise(String token, InetAddress source) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Recognition recogniseHeld(String token, InetAddress source) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Grant> named(String token) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Grant> boundTo(InetAddress source) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Grant> byId(String id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Grant> byJti(String jti) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Grant> standing(Predicate<Grant> selector) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void recordEnd(Tx tx, Collection<Grant> grants, EndReason reason) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Reservation reserve(Tx tx, Charge charge) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void giveBack(Tx tx, Reservation.Reserved reserved) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Usage usage(String grantId) {
        throw new UnsupportedOperationException();
    }
}
