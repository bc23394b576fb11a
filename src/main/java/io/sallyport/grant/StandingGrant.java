package io.sallyport.grant;

import io.sallyport.http.IpRange;
import io.sallyport.policy.Binding;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A grant in memory, tied to its parent and its children, with the one fact about it that changes: whether it has ended. */
final class StandingGrant {

    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};

    /** The place of those whose range is wider than a host, or that are bound to no address. */
    static final ByteBuffer ANY_HOST = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final Grant grant;
    private final @Nullable StandingGrant parent;
    private final @Nullable IpRange address;
    private final TwoClocks.Deadline deadline;
    private final Set<StandingGrant> children = ConcurrentHashMap.newKeySet(1);
    private final AtomicReference<@Nullable EndReason> ended = new AtomicReference<>();

    StandingGrant(Grant grant, @Nullable StandingGrant parent, TwoClocks clocks) {
        this.grant = grant;
        this.parent = parent;
        this.address =
                grant.address() == null ? null : IpRange.parse(grant.address()).orElseThrow();
        this.deadline = clocks.deadline(grant.expiresAt());
    }

    Grant grant() {
        return grant;
    }

    @Nullable
    StandingGrant parent() {
        return parent;
    }

    Set<StandingGrant> children() {
        return children;
    }

    /** @return true for the one caller that ended it */
    boolean end(EndReason reason) {
        return ended.compareAndSet(null, reason);
    }

    @Nullable
    EndReason ended() {
        return ended.get();
    }

    boolean expired(TwoClocks clocks) {
        return clocks.passed(deadline);
    }

    /** Looks at the whole line of ancestors, so that a child never outlives any of them, whoever forgot to end it. */
    @Nullable
    String whyNot(TwoClocks clocks) {
        for (StandingGrant at = this; at != null; at = at.parent) {
            if (at.ended.get() != null) {
                return "ended";
            }
            if (at.expired(clocks)) {
                return "expired";
            }
        }
        return null;
    }

    /** Where it is found by a source address; null where it can't be used by its token, and so by none. */
    @Nullable
    ByteBuffer host() {
        if (grant.binding() != Binding.ADDRESS) {
            return null;
        }
        if (address == null) {
            return ANY_HOST;
        }
        byte[] network = address.network().bytes();
        int whole = network.length == 4 ? 32 : 64;
        return address.prefixLength() < whole ? ANY_HOST : beginning(network);
    }

    static ByteBuffer host(InetAddress source) {
        return beginning(plain(source));
    }

    private static ByteBuffer beginning(byte[] address) {
        return ByteBuffer.wrap(Arrays.copyOf(address, address.length == 4 ? 4 : 8));
    }

    boolean boundTo(InetAddress source) {
        return address == null || address.contains(plain(source));
    }

    /** A dual-stack socket may report an IPv4 peer as {@code ::ffff:10.0.0.1}. */
    private static byte[] plain(InetAddress source) {
        byte[] bytes = source.getAddress();
        boolean mapped =
                source instanceof Inet6Address && Arrays.equals(bytes, 0, MAPPED.length, MAPPED, 0, MAPPED.length);
        return mapped ? Arrays.copyOfRange(bytes, MAPPED.length, bytes.length) : bytes;
    }
}
