package io.sallyport.bench.hop;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * What a connection costs while nothing happens on it: its tunnel open, its handshake done. Measured before any load: memory that a
 * process has had once it keeps, and would lend to these connections unseen.
 */
final class IdleConnections {

    private static final int COUNT = 2000;

    /** Some before it counts, so that what is set up once is not a connection's. */
    private static final Load FEW = new Load("few", "/bench", 0, 50, 0, false);

    private IdleConnections() {}

    static void print(BenchGround ground, List<Contender> contenders) throws Exception {
        System.out.printf(Locale.ROOT, "%n%d idle connections, resident memory each:%n", COUNT);
        Load load = new Load("idle", "/bench", 0, COUNT, 0, false);
        for (Contender way : contenders) {
            ProcessCpu process = way.cpu();
            if (process != null) {
                new LoadRun(FEW, FEW.request("localhost")).holding(way.path(), way.tls(), () -> null);
                System.out.printf(
                        Locale.ROOT,
                        "%-15s %-7s %9.1f KiB%n",
                        load.name(),
                        way.name(),
                        measure(ground, way, load, process) / (double) COUNT);
            }
        }
    }

    private static long measure(BenchGround ground, Contender way, Load load, ProcessCpu process) throws Exception {
        settle(way, process);
        long before = process.residentKib();
        long[] held = new long[1];
        new LoadRun(load, load.request("localhost:" + ground.originPort())).holding(way.path(), way.tls(), () -> {
            settle(way, process);
            held[0] = process.residentKib();
            return null;
        });
        return held[0] - before;
    }

    /** The virtual machine gives back what it does not need, so that garbage is not counted as a connection's. */
    private static void settle(Contender way, ProcessCpu process) throws IOException, InterruptedException {
        if (way.name().equals("hop")) {
            new ProcessBuilder(System.getProperty("java.home") + "/bin/jcmd", Long.toString(process.pid()), "GC.run")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
        // Nothing says when a process has given memory back to the kernel.
        Thread.sleep(500);
    }
}
