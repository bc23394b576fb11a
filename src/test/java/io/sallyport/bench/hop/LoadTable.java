package io.sallyport.bench.hop;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Loads, each driven through every contender in turn, round by round, so that what disturbs one disturbs the others. */
final class LoadTable {

    private static final int WARMING_REQUESTS = 30_000;
    private static final double MOST_WARMING_SECONDS = 60;
    private static final String YARDSTICK = "nginx";

    private final BenchGround ground;
    private final List<Contender> contenders;
    private final Rounds rounds;

    LoadTable(BenchGround ground, List<Contender> contenders, Rounds rounds) {
        this.ground = ground;
        this.contenders = contenders;
        this.rounds = rounds;
    }

    /** One side of a round. CPU in microseconds a request of what stands between. */
    private record Side(double perSecond, double p50, double p99, double cpu) {}

    void print(List<Load> loads) throws Exception {
        System.out.printf(
                Locale.ROOT,
                "%n%-15s %-7s %11s %9s %9s %12s   %s%n",
                "load",
                "way",
                "requests/s",
                "p50 ms",
                "p99 ms",
                "CPU µs each",
                "against nginx: CPU, requests/s, p50, p99");
        for (Load load : loads) {
            Map<String, List<Side>> measured = new LinkedHashMap<>();
            for (Contender way : contenders) {
                warm(load, way);
                measured.put(way.name(), new ArrayList<>());
            }
            for (int round = 0; round < rounds.count(); round++) {
                for (Contender way : contenders) {
                    measured.get(way.name()).add(side(load, way));
                }
            }
            measured.forEach((name, sides) -> print(load, name, sides, measured.get(YARDSTICK)));
        }
    }

    /** By requests and not by time alone: on a busy machine a warm-up of seconds would leave the compilers' work to what is measured. */
    private void warm(Load load, Contender way) throws InterruptedException {
        long deadline = System.nanoTime() + (long) (MOST_WARMING_SECONDS * 1e9);
        int most = load.target().equals("/bulk") ? 200 : load.fresh() ? 4_000 : WARMING_REQUESTS;
        if (way.cpu() == null || !way.name().equals("hop")) {
            most = 1;
        }
        int sent = 0;
        do {
            sent += run(load, way, 3).sorted().length;
        } while (load.perSecond() == 0 && sent < most && System.nanoTime() < deadline);
    }

    private Latencies run(Load load, Contender way, double seconds) throws InterruptedException {
        byte[] request = load.request("localhost:" + ground.originPort());
        return new LoadRun(load, request).run(way.path(), way.tls(), seconds);
    }

    private Side side(Load load, Contender way) throws IOException, InterruptedException {
        double before = way.cpuSeconds();
        Latencies measured = run(load, way, rounds.seconds());
        return new Side(
                measured.perSecond(),
                measured.milliseconds(0.5),
                measured.milliseconds(0.99),
                (way.cpuSeconds() - before) * 1e6 / measured.sorted().length);
    }

    private static void print(Load load, String way, List<Side> sides, @Nullable List<Side> yardstick) {
        System.out.printf(
                Locale.ROOT,
                "%-15s %-7s %11.0f %9.2f %9.2f %12.1f   %s%n",
                load.name(),
                way,
                median(sides, Side::perSecond),
                median(sides, Side::p50),
                median(sides, Side::p99),
                median(sides, Side::cpu),
                yardstick == null || way.equals(YARDSTICK) ? "" : against(sides, yardstick));
    }

    private static String against(List<Side> sides, List<Side> yardstick) {
        return String.format(
                Locale.ROOT,
                "%.2f× %.2f× %+.2f ms %+.2f ms",
                ratio(sides, yardstick, Side::cpu),
                ratio(sides, yardstick, Side::perSecond),
                median(sides, Side::p50) - median(yardstick, Side::p50),
                median(sides, Side::p99) - median(yardstick, Side::p99));
    }

    private static double ratio(List<Side> sides, List<Side> yardstick, Function<Side, Double> figure) {
        List<Double> pairs = new ArrayList<>();
        for (int n = 0; n < sides.size(); n++) {
            pairs.add(figure.apply(sides.get(n)) / figure.apply(yardstick.get(n)));
        }
        return Rounds.median(pairs);
    }

    private static double median(List<Side> sides, Function<Side, Double> figure) {
        return Rounds.median(sides.stream().map(figure).toList());
    }
}
