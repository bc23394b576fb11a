package io.sallyport.bench.hop;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/**
 * Prints direct against through-the-hop, paired in one run: TLS on both sides, authentication, policy, injection, payload hash, durable
 * ledger and scrubbing all on. Run it with {@code mvn -Pbench verify}; {@code -Dbench.seconds=S -Dbench.rounds=R} change its length.
 */
public final class HopBench {

    private static final List<Load> LOADS = List.of(
            new Load("1 KiB GET", 0, 64, 0),
            new Load("1 KiB POST", 1024, 64, 0),
            new Load("64 KiB POST", 65536, 64, 0),
            new Load("GET at 200/s", 0, 16, 200));

    private static final int WARMING_REQUESTS = 30_000;
    private static final double MOST_WARMING_SECONDS = 60;

    private final BenchGround ground;
    private final double seconds;
    private final int rounds;

    private HopBench(BenchGround ground, double seconds, int rounds) {
        this.ground = ground;
        this.seconds = seconds;
        this.rounds = rounds;
    }

    /** One side of a pair. CPU in microseconds a request, of the origin and of the broker. */
    private record Side(double perSecond, double p50, double p99, double originCpu, double brokerCpu) {}

    public static void main(String[] args) throws Exception {
        double seconds = Double.parseDouble(System.getProperty("bench.seconds", "5"));
        int rounds = Integer.getInteger("bench.rounds", 5);
        try (BenchGround ground = BenchGround.open(Path.of(System.getProperty("bench.jar", "target/sallyport.jar")))) {
            new HopBench(ground, seconds, rounds).run();
        }
    }

    private void run() throws Exception {
        String token = ground.taskToken();
        LoadRun.Path direct = new LoadRun.Path(new InetSocketAddress("127.0.0.1", ground.originPort()), null);
        LoadRun.Path hop = new LoadRun.Path(new InetSocketAddress("127.0.0.1", ground.hopPort()), connect(token));
        SslContext originTls = trusting(
                SslContextBuilder.forClient().trustManager(ground.originTrust().toFile()));
        SslContext hopTls = trusting(
                SslContextBuilder.forClient().trustManager(ground.hopTrust().toFile()));
        System.out.printf(
                Locale.ROOT,
                "%d rounds of %.0f s a side, each load warmed up by %d requests a side or %.0f s; medians; the ratio is of the rounds' own pairs%n%n%-14s %-8s %10s %9s %9s %12s %12s%n",
                rounds,
                seconds,
                WARMING_REQUESTS,
                MOST_WARMING_SECONDS,
                "load",
                "side",
                "requests/s",
                "p50 ms",
                "p99 ms",
                "origin µs",
                "broker µs");
        for (Load load : LOADS) {
            List<Side> directs = new ArrayList<>();
            List<Side> hops = new ArrayList<>();
            warm(load, direct, originTls);
            warm(load, hop, hopTls);
            for (int round = 0; round < rounds; round++) {
                directs.add(side(load, direct, originTls));
                hops.add(side(load, hop, hopTls));
            }
            print(load, "direct", directs);
            print(load, "hop", hops);
            ratio(load, directs, hops);
        }
    }

    /** By requests and not by time alone: on a busy machine a warm-up of seconds would leave the compilers' work to what is measured. */
    private void warm(Load load, LoadRun.Path path, SslContext tls) throws InterruptedException {
        byte[] request = load.request("127.0.0.1:" + ground.originPort(), "");
        long deadline = System.nanoTime() + (long) (MOST_WARMING_SECONDS * 1e9);
        int sent = 0;
        do {
            sent += new LoadRun(load, request).run(path, tls, seconds).sorted().length;
        } while (load.perSecond() == 0 && sent < WARMING_REQUESTS && System.nanoTime() < deadline);
    }

    private Side side(Load load, LoadRun.Path path, SslContext tls) throws IOException, InterruptedException {
        byte[] request = load.request("127.0.0.1:" + ground.originPort(), "");
        double originBefore = ground.originCpu().seconds();
        double brokerBefore = ground.brokerCpu().seconds();
        Latencies measured = new LoadRun(load, request).run(path, tls, seconds);
        int requests = measured.sorted().length;
        return new Side(
                measured.perSecond(),
                measured.milliseconds(0.5),
                measured.milliseconds(0.99),
                (ground.originCpu().seconds() - originBefore) * 1e6 / requests,
                (ground.brokerCpu().seconds() - brokerBefore) * 1e6 / requests);
    }

    private static void print(Load load, String side, List<Side> rounds) {
        System.out.printf(
                Locale.ROOT,
                "%-14s %-8s %10.0f %9.2f %9.2f %12.1f %12.1f%n",
                load.name(),
                side,
                median(rounds.stream().map(Side::perSecond).toList()),
                median(rounds.stream().map(Side::p50).toList()),
                median(rounds.stream().map(Side::p99).toList()),
                median(rounds.stream().map(Side::originCpu).toList()),
                median(rounds.stream().map(Side::brokerCpu).toList()));
    }

    private static void ratio(Load load, List<Side> directs, List<Side> hops) {
        List<Double> throughput = new ArrayList<>();
        List<Double> added = new ArrayList<>();
        for (int n = 0; n < directs.size(); n++) {
            throughput.add(hops.get(n).perSecond() / directs.get(n).perSecond());
            added.add(hops.get(n).p50() - directs.get(n).p50());
        }
        System.out.printf(
                Locale.ROOT,
                "%-14s %-8s %9.2f× requests/s, p50 %+.2f ms%n%n",
                load.name(),
                "hop/direct",
                median(throughput),
                median(added));
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    private byte[] connect(String token) {
        String target = "127.0.0.1:" + ground.originPort();
        String basic = Base64.getEncoder().encodeToString(("task:" + token).getBytes(StandardCharsets.US_ASCII));
        return ("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\nProxy-Authorization: Basic " + basic
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static SslContext trusting(SslContextBuilder builder) throws IOException {
        return builder.sslProvider(SslProvider.OPENSSL).build();
    }
}
