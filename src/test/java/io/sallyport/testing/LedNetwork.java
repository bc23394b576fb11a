package io.sallyport.testing;

import io.sallyport.http.IpRange;
import io.sallyport.proxy.HopLifecycle;
import io.sallyport.proxy.ListenerSettings;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the agents of {@link Door#LED} and its kin are: one sandbox for all tests of a process, in which each task has an address of its own
 * to come from, and each hop one that is led to it. What is dialled there is on its way to nowhere.
 */
final class LedNetwork {

    /** Between benchmarks of network devices (RFC 2544), so nobody's here. */
    private static final String TASKS = "198.18.0.0/15";

    private static final int FIRST_TASK = 198 << 24 | 18 << 16;

    /** Of documentation (RFC 5737): nobody is there, so whatever is reached was not reached by it. */
    private static final String NOWHERE = "203.0.113.";

    /** Processes at one time, each with a part of the tasks' network. */
    private static final int PROCESSES = 8;

    private static final int TASKS_OF_ONE = (1 << 17) / PROCESSES;

    /** Behind those of tests that have sandboxes of their own. */
    private static final int FIRST_SANDBOX = 200;

    private static @Nullable LedNetwork made;
    private static @Nullable String whyNot;

    private final Sandbox sandbox;
    private final NamespaceThread inside;
    private final int firstTask;
    private int tasks;
    private final Map<TestHop, String> hops = new WeakHashMap<>();
    private int led;

    /** @param part of the tasks' network, which may be another process' */
    private LedNetwork(int part) {
        firstTask = FIRST_TASK + part * TASKS_OF_ONE;
        sandbox = new Sandbox(FIRST_SANDBOX + part);
        try {
            sandbox.having(written(firstTask) + "/18");
        } catch (IllegalStateException taken) {
            sandbox.close();
            throw taken;
        }
        inside = sandbox.thread();
        Runtime.getRuntime().addShutdownHook(new Thread(sandbox::close));
    }

    /** For a hop that takes connections from here; none where there is no such network. */
    static ListenerSettings.Transparent listener() {
        return made() == null
                ? ListenerSettings.Transparent.NONE
                : new ListenerSettings.Transparent(
                        "0.0.0.0", 0, List.of(IpRange.parse(TASKS).orElseThrow()));
    }

    /** The network. Without one a test is skipped and says so; where CI=true it fails. */
    static LedNetwork get() {
        LedNetwork network = made();
        if (network == null) {
            throw Tools.lacking("this door needs a network namespace: " + whyNot);
        }
        return network;
    }

    /** Tried once. */
    private static synchronized @Nullable LedNetwork made() {
        if (made == null && whyNot == null) {
            if (Tools.root() && Tools.present("ip") && Tools.present("iptables")) {
                make();
            } else {
                whyNot = "who makes it has to be root, with ip and iptables";
            }
        }
        return made;
    }

    private static void make() {
        int some = (int) (ProcessHandle.current().pid() % PROCESSES);
        for (int i = 0; made == null && i < PROCESSES; i++) {
            try {
                made = new LedNetwork((some + i) % PROCESSES);
            } catch (IllegalStateException failed) {
                whyNot = failed.getMessage();
            }
        }
    }

    /** For a task; nobody else has it. */
    synchronized String address() {
        tasks++;
        if (tasks == TASKS_OF_ONE - 1) {
            throw new IllegalStateException("no more tasks in one process than " + TASKS_OF_ONE);
        }
        return written(firstTask + tasks);
    }

    private static String written(int address) {
        return (address >>> 24) + "." + (address >> 16 & 255) + "." + (address >> 8 & 255) + "." + (address & 255);
    }

    /** A connection that is led to the hop. @param from the task's address */
    Socket connect(TestHop hop, String from, int port) {
        return inside.connect(from, nowhere(hop), port);
    }

    private synchronized String nowhere(TestHop hop) {
        return hops.computeIfAbsent(hop, this::lead);
    }

    private String lead(TestHop hop) {
        led++;
        if (led == 255) {
            throw new IllegalStateException("no more hops in one process than 254");
        }
        String to = NOWHERE + led;
        sandbox.ledTo(to, hop.room(HopLifecycle.class).transparentPort());
        return to;
    }
}
