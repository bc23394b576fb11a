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
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Prints, in one run and in turn: straight to the origin, nginx and Squid putting a fixed field on each request, and the hop with all of
 * its promises on (TLS on both sides, authentication, policy, injection, payload hash, durable ledger, scrubbing). Run it with {@code mvn
 * -Pbench verify}; {@code -Dbench.seconds=S -Dbench.rounds=R} change its length, {@code -Dbench.only=kept,steady,…} picks parts of it.
 */
public final class HopBench {

    private static final List<Load> KEPT = List.of(
            Load.kept("1 KiB GET", "/bench", 0),
            Load.kept("1 KiB POST", "/bench", 1024),
            Load.kept("64 KiB POST", "/bench", 65536),
            Load.kept("GET, no secret", "/plain/bench", 0));

    /** With a secret and without, so that the difference is what looking for it costs. */
    private static final List<Load> BULK = List.of(
            new Load("10 MiB GET", "/bulk", 0, 8, 0, false),
            new Load("the same, no secret", "/plain/bulk", 0, 8, 0, false),
            new Load("10 MiB JSON", "/text", 0, 8, 0, false),
            new Load("the same, no secret", "/plain/text", 0, 8, 0, false));

    private static final Load FRESH = new Load("new connection", "/bench", 0, 8, 0, true);

    private HopBench() {}

    public static void main(String[] args) throws Exception {
        // A resumed session costs a third of a handshake: each way is to make whole ones.
        System.setProperty("io.netty.handler.ssl.openssl.sessionCacheClient", "false");
        Rounds rounds = new Rounds(
                Double.parseDouble(System.getProperty("bench.seconds", "5")), Integer.getInteger("bench.rounds", 5));
        Set<String> only =
                new TreeSet<>(List.of(System.getProperty("bench.only", "idle,kept,steady,fresh,bulk,cold,events")
                        .split(",")));
        try (BenchGround ground = BenchGround.open(Path.of(System.getProperty("bench.jar", "target/sallyport.jar")))) {
            run(ground, rounds, only);
        }
        System.exit(0);
    }

    private static void run(BenchGround ground, Rounds rounds, Set<String> only) throws Exception {
        List<Contender> contenders = contenders(ground);
        Contender hop = contenders.getLast();
        System.out.printf(
                Locale.ROOT, "%d rounds of %.0f s for each way in turn; medians.%n", rounds.count(), rounds.seconds());
        LoadTable table = new LoadTable(ground, contenders, rounds);
        if (only.contains("idle")) {
            IdleConnections.print(ground, contenders);
        }
        if (only.contains("kept")) {
            table.print(KEPT);
            new Breakdown(ground, hop).print(KEPT.getFirst(), rounds.seconds() * 2);
        }
        if (only.contains("steady")) {
            table.print(List.of(Load.steady(200), Load.steady(3000)));
        }
        if (only.contains("fresh")) {
            table.print(List.of(FRESH));
        }
        if (only.contains("bulk")) {
            table.print(BULK);
        }
        if (only.contains("cold")) {
            ColdClient.print(contenders, ground.originPort(), rounds.count() * 10);
        }
        if (only.contains("events")) {
            EventStream.print(contenders, ground.originPort());
        }
    }

    /** In the order of their promises: nothing between, then the yardsticks that are installed, and the hop at the end. */
    private static List<Contender> contenders(BenchGround ground) throws Exception {
        List<Contender> all = new ArrayList<>();
        byte[] plain = connect(ground.originPort(), "");
        all.add(contender("direct", ground.originPort(), null, null, ground.originTrust()));
        Optional<Yardsticks.Running> nginx = ground.yardsticks().nginx(ground.authority());
        nginx.ifPresent(running ->
                all.add(contender("nginx", running.port(), null, new ProcessCpu(running.pid()), running.trust())));
        Optional<Yardsticks.Running> squid = ground.yardsticks().squid();
        squid.ifPresent(running ->
                all.add(contender("squid", running.port(), plain, new ProcessCpu(running.pid()), running.trust())));
        if (nginx.isEmpty() || squid.isEmpty()) {
            System.out.println("Not measured, because not installed:" + (nginx.isEmpty() ? " nginx" : "")
                    + (squid.isEmpty() ? " squid with interception" : ""));
        }
        all.add(contender(
                "hop",
                ground.hopPort(),
                connect(ground.originPort(), ground.taskToken()),
                ground.brokerCpu(),
                ground.hopTrust()));
        return all;
    }

    private static Contender contender(String name, int port, byte[] tunnel, ProcessCpu cpu, Path trust) {
        return new Contender(
                name, new LoadRun.Path(new InetSocketAddress("127.0.0.1", port), tunnel), trusting(trust), cpu, trust);
    }

    private static byte[] connect(int originPort, String token) {
        String target = "localhost:" + originPort;
        String basic = Base64.getEncoder().encodeToString(("task:" + token).getBytes(StandardCharsets.US_ASCII));
        return ("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n"
                        + (token.isEmpty() ? "" : "Proxy-Authorization: Basic " + basic + "\r\n") + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static SslContext trusting(Path root) {
        try {
            return SslContextBuilder.forClient()
                    .trustManager(root.toFile())
                    .sslProvider(SslProvider.OPENSSL)
                    .build();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
