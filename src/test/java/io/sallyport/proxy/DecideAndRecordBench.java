package io.sallyport.proxy;

import com.sun.management.ThreadMXBean;
import io.sallyport.grant.Grant;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.testing.TestHop;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;

/**
 * What a request costs besides its bytes: received, judged, leased, injected, charged, recorded durably, its outcome recorded. One thread
 * stands for the event loop; 64 requests wait for the store at any time. Prints CPU and allocation a request, by thread. Run its main
 * method on the test class path; arguments: requests a round, rounds, and {@code gate} to leave the record out.
 */
final class DecideAndRecordBench {

    private static final int WAITING = 64;
    private static final String EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    private final TestHop hop;
    private final Reception reception;
    private final Gate gate;
    private final Recorder recorder;
    private final Entrance.Tunnel tunnel;
    private final RawHead head;

    private DecideAndRecordBench(TestHop hop, Grant grant) {
        this.hop = hop;
        this.reception = new Reception(
                hop.room(io.sallyport.rules.RuleBooks.class),
                hop.room(io.sallyport.grant.Grants.class),
                java.util.List.of("localhost"));
        this.gate = hop.room(Gate.class);
        this.recorder = hop.room(Recorder.class);
        this.tunnel = new Entrance.Tunnel(grant, "api.up.test", hop.origin().port(), true, "api.up.test");
        this.head = new RawHead(
                "GET",
                "/v1/repos/acme/site/issues?state=open&per_page=50",
                false,
                Fields.of(List.of(
                        new Field("Host", hop.host("api.up.test")),
                        new Field("User-Agent", "curl/8.5.0"),
                        new Field("Accept", "application/json"),
                        new Field("X-Request-Id", "0f1e2d3c4b5a"),
                        new Field("Accept-Encoding", "gzip, deflate"))));
    }

    public static void main(String[] args) throws Exception {
        int requests = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 6;
        boolean gateOnly = args.length > 2 && args[2].equals("gate");
        String policy = TestHop.POLICY
                .replace("uses: 100000", "uses: 1000000000")
                .replace("10GiB", "10000GiB")
                .replace("at-once: 64", "at-once: 1000");
        try (TestHop hop = TestHop.start(settings -> settings, policy)) {
            DecideAndRecordBench bench = new DecideAndRecordBench(hop, hop.grant("read"));
            for (int round = 0; round < rounds; round++) {
                bench.round(requests, gateOnly);
            }
        }
        System.exit(0);
    }

    private void round(int requests, boolean gateOnly) throws IOException {
        double cpu = processSeconds();
        List<long[]> before = threads();
        long start = System.nanoTime();
        Semaphore waiting = new Semaphore(WAITING);
        for (int i = 0; i < requests; i++) {
            Admission admission = admitted();
            if (gateOnly) {
                admission.close();
                continue;
            }
            waiting.acquireUninterruptibly();
            recorder.use(admission, new Window(0, 0, EMPTY_SHA256, true)).whenComplete((recorded, fault) -> {
                recorder.outcome(
                        admission,
                        (Recorded.Durable) recorded,
                        new UseOutcome("answered", 200, "127.0.0.1", true, 0, 1024, null, null));
                admission.close();
                waiting.release();
            });
        }
        waiting.acquireUninterruptibly(WAITING);
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%8.0f requests/s  %6.1f µs CPU of the process%n",
                requests / seconds,
                (processSeconds() - cpu) * 1e6 / requests);
        report(before, requests);
    }

    private Admission admitted() {
        Received received = reception.receive(head, tunnel);
        Received.Inside inside = (Received.Inside) received;
        Passage passage = gate.admit(inside.grant(), inside.head(), null, why -> {})
                .toCompletableFuture()
                .join();
        return ((Passage.Admitted) passage).admission();
    }

    private static double processSeconds() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                        .getProcessCpuTime()
                / 1e9;
    }

    /** Id, CPU nanoseconds and bytes allocated of each thread. */
    private static List<long[]> threads() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<long[]> all = new ArrayList<>();
        for (long id : threads.getAllThreadIds()) {
            all.add(new long[] {id, threads.getThreadCpuTime(id), threads.getThreadAllocatedBytes(id)});
        }
        return all;
    }

    private static void report(List<long[]> before, int requests) {
        for (long[] now : threads()) {
            long[] then = before.stream()
                    .filter(known -> known[0] == now[0])
                    .findFirst()
                    .orElse(new long[3]);
            ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(now[0]);
            double micros = (now[1] - then[1]) / 1e3 / requests;
            double bytes = (double) (now[2] - then[2]) / requests;
            if (info != null && (micros > 0.2 || bytes > 20)) {
                System.out.printf(Locale.ROOT, "   %-16s %6.1f µs %7.0f B%n", info.getThreadName(), micros, bytes);
            }
        }
    }
}
