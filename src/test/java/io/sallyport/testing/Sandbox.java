package io.sallyport.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A network namespace with one address of each family, whose every TCP connection is led to a port of this machine by TPROXY, wherever it was going:
 * a sandbox whose tools know of no proxy. All of it goes with {@link #close}.
 */
public final class Sandbox implements AutoCloseable {

    /** Whether this machine has IPv6 at all: then a sandbox has an address of each family. */
    public static final boolean IPV6 = Files.exists(Path.of("/proc/net/if_inet6")) && Tools.present("ip6tables");

    private final String name;
    private final int number;
    private final List<String[]> undo = new ArrayList<>();

    /** @param number 1 to 250, its own among those of a test */
    public Sandbox(int number) {
        this.number = number;
        this.name = "sp" + ProcessHandle.current().pid() % 100_000 + "-" + number;
        doing("ip", "netns", "add", name);
        undo.add(new String[] {"ip", "netns", "del", name});
        doing("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name);
        doing("ip", "addr", "add", gate() + "/30", "dev", name);
        doing("ip", "link", "set", name, "up");
        inside("ip", "addr", "add", address() + "/30", "dev", "eth0");
        inside("ip", "link", "set", "lo", "up");
        inside("ip", "link", "set", "eth0", "up");
        inside("ip", "route", "add", "default", "via", gate());
        if (IPV6) {
            doing("ip", "-6", "addr", "add", gate6() + "/64", "dev", name, "nodad");
            inside("ip", "-6", "addr", "add", address6() + "/64", "dev", "eth0", "nodad");
            inside("ip", "-6", "route", "add", "default", "via", gate6());
            doing("ip", "-6", "rule", "add", "fwmark", mark(), "lookup", mark());
            undo.add(new String[] {"ip", "-6", "rule", "del", "fwmark", mark(), "lookup", mark()});
            doing("ip", "-6", "route", "add", "local", "default", "dev", "lo", "table", mark());
            undo.add(new String[] {"ip", "-6", "route", "flush", "table", mark()});
        }
        doing("ip", "rule", "add", "fwmark", mark(), "lookup", mark());
        undo.add(new String[] {"ip", "rule", "del", "fwmark", mark(), "lookup", mark()});
        doing("ip", "route", "add", "local", "default", "dev", "lo", "table", mark());
        undo.add(new String[] {"ip", "route", "flush", "table", mark()});
    }

    /** From now on. */
    public Sandbox ledTo(int port) {
        lead("iptables", port, "!", "-d", gate());
        if (IPV6) {
            lead("ip6tables", port, "!", "-d", gate6());
        }
        return this;
    }

    /** From now on, those to one address alone. */
    Sandbox ledTo(String to, int port) {
        lead("iptables", port, "-d", to);
        return this;
    }

    /** Every address of a network is this sandbox's: it stands for as many as that. */
    Sandbox having(String network) {
        inside("ip", "route", "add", "local", network, "dev", "lo");
        doing("ip", "route", "add", network, "via", address());
        return this;
    }

    /** A thread of this process whose sockets are in it. */
    NamespaceThread thread() {
        return new NamespaceThread(Path.of("/run/netns", name));
    }

    private void lead(String tables, int port, String... to) {
        doing(rule(tables, "-A", port, to));
        undo.add(rule(tables, "-D", port, to));
    }

    private String[] rule(String tables, String verb, int port, String... to) {
        List<String> rule = new ArrayList<>(List.of(tables, "-w", "-t", "mangle", verb, "PREROUTING"));
        rule.addAll(List.of("-i", name, "-p", "tcp"));
        rule.addAll(List.of(to));
        rule.addAll(List.of("-j", "TPROXY", "--on-port", Integer.toString(port), "--tproxy-mark", mark()));
        return rule.toArray(String[]::new);
    }

    private String mark() {
        return Integer.toString(20_000 + (int) (ProcessHandle.current().pid() % 1000) * 250 + number);
    }

    /** Of the sandbox. */
    public String address() {
        return "10.199." + number + ".2";
    }

    /** Of this machine, as the sandbox sees it. */
    public String gate() {
        return "10.199." + number + ".1";
    }

    public String address6() {
        return "fd00:199:" + number + "::2";
    }

    public String gate6() {
        return "fd00:199:" + number + "::1";
    }

    /** Runs a command in it. */
    public Tools.Ran run(Path folder, String... command) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", name));
        all.addAll(List.of(command));
        return Tools.run(folder, Map.of(), all.toArray(String[]::new));
    }

    private void inside(String... command) {
        expect(run(Path.of("/tmp"), command), command);
    }

    private static void doing(String... command) {
        expect(Tools.run(Path.of("/tmp"), Map.of(), command), command);
    }

    private static void expect(Tools.Ran ran, String... command) {
        if (ran.exit() != 0) {
            throw new IllegalStateException(String.join(" ", command) + ": " + ran.err());
        }
    }

    @Override
    public void close() {
        for (String[] command : undo.reversed()) {
            Tools.run(Path.of("/tmp"), Map.of(), command);
        }
        undo.clear();
    }
}
