package io.sallyport.net;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The guard over {@link ReservedRanges} and the broker's own ports. */
final class ReservedAddressGuard implements AddressGuard {

    private final IntPredicate ownPort;

    ReservedAddressGuard(IntPredicate ownPort) {
        this.ownPort = ownPort;
    }

    @Override
    public Judgement judge(List<InetAddress> resolved, int port, List<Cidr> permitted) {
        if (resolved.isEmpty()) {
            return new Judgement.Forbidden("there is no address");
        }
        for (InetAddress address : resolved) {
            String problem = problem(ReservedRanges.reached(address), port, permitted);
            if (problem != null) {
                return new Judgement.Forbidden(problem);
            }
        }
        return new Judgement.Allowed(List.copyOf(resolved));
    }

    private @Nullable String problem(InetAddress address, int port, List<Cidr> permitted) {
        // First, because no document can name it away.
        if (ownPort.test(port) && ownAddress(address)) {
            return "the address and port are one of the broker's own doors";
        }
        String range = ReservedRanges.holding(address);
        if (range == null) {
            return null;
        }
        for (Cidr named : permitted) {
            if (named.contains(address)) {
                return null;
            }
        }
        return "the address is in " + range + ", which the document does not name";
    }

    /** Asked only for one of our own ports, so that its cost (a system call) does not matter. Who can't tell says yes. */
    private static boolean ownAddress(InetAddress address) {
        if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
            return true;
        }
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return true;
        }
    }
}
