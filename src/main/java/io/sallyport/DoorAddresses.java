package io.sallyport;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Where doors may listen. On the loopback anything goes; elsewhere a token or a session would cross a network, so the operator door needs
 * TLS of its own, and the others TLS or somebody's word that it ends in front of them.
 */
final class DoorAddresses {

    /**
     * One door as configured.
     *
     * @param setting the name of the setting that says where it listens
     * @param tls whether it speaks TLS itself
     * @param mayRelyOnFront whether TLS that ends in front of it will do
     */
    record Listening(String door, String setting, String address, boolean tls, boolean mayRelyOnFront) {}

    private DoorAddresses() {}

    /** @throws StartRefused for the first door that would be open to a network without TLS */
    static void check(List<Listening> doors, boolean tlsTerminatedInFront) {
        for (Listening door : doors) {
            if (isLoopback(door) || door.tls() || (door.mayRelyOnFront() && tlsTerminatedInFront)) {
                continue;
            }
            throw new StartRefused("The %s door would listen on %s (%s) without TLS. Allowed: a loopback address%s%s."
                    .formatted(
                            door.door(),
                            door.address(),
                            door.setting(),
                            ownTls(door),
                            door.mayRelyOnFront()
                                    ? ", or sallyport.tls-terminated-in-front=true where something in front of it speaks TLS"
                                    : ""));
        }
    }

    private static boolean isLoopback(Listening door) {
        try {
            return InetAddress.getByName(door.address()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new StartRefused(
                    "The %s door can't listen on \"%s\" (%s): that is no address of this machine. Allowed: an IP address or a host name."
                            .formatted(door.door(), door.address(), door.setting()),
                    e);
        }
    }

    private static String ownTls(Listening door) {
        return switch (door.door()) {
            case "operator" -> ", or TLS (sallyport.operator.tls-bundle)";
            case "management" -> ", or TLS (management.server.ssl.bundle)";
            case "agent" -> ", or TLS (server.ssl.bundle)";
            // The hop speaks both on one port: that it can speak TLS does not make its clients do so.
            default -> "";
        };
    }
}
