package io.sallyport.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
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

    /** Asked only for one of our own ports, so that its cost (a few system calls) does not matter. Who can't tell says yes. */
    private static boolean ownAddress(InetAddress address) {
        if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
            return true;
        }
        try {
            return NetworkInterface.getByInetAddress(address) != null || routedToItself(address);
        } catch (SocketException e) {
            return true;
        }
    }

    /**
     * Whole ranges can be this machine's without any interface that says so ({@code ip route add local}). The kernel tells by its choice of
     * the source address: to reach itself it takes the same one, or a loopback one. Nothing is sent.
     */
    static boolean routedToItself(InetAddress address) {
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(address, 9);
            InetAddress from = probe.getLocalAddress();
            return from.isLoopbackAddress() || from.equals(address);
        } catch (IOException | UncheckedIOException e) {
            // No route at all: then nothing of ours is there either.
            return false;
        }
    }
}
