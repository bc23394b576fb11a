package io.sallyport.bench.hop;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Where the broker's CPU time for a request goes, by its threads; and what a request allocates. */
final class Breakdown {

    private final BenchGround ground;
    private final Contender hop;

    Breakdown(BenchGround ground, Contender hop) {
        this.ground = ground;
        this.hop = hop;
    }

    void print(Load load, double seconds) throws Exception {
        Map<String, Double> before = ground.brokerCpu().byThread();
        double allocatedBefore = allocated();
        int requests = new LoadRun(load, load.request("localhost:" + ground.originPort()))
                .run(hop.path(), hop.tls(), seconds)
                .sorted()
                .length;
        double allocated = allocated() - allocatedBefore;
        Map<String, Double> each = new TreeMap<>();
        ground.brokerCpu()
                .byThread()
                .forEach((name, after) -> each.put(name, (after - before.getOrDefault(name, 0.0)) * 1e6 / requests));
        StringBuilder text = new StringBuilder();
        each.entrySet().stream()
                .filter(thread -> thread.getValue() >= 0.05)
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .forEach(thread ->
                        text.append(String.format(Locale.ROOT, " %s %.1f;", thread.getKey(), thread.getValue())));
        System.out.printf(
                Locale.ROOT,
                "%n%s through the hop, CPU µs each by thread:%s %.1f KiB allocated each%n",
                load.name(),
                text,
                allocated / requests / 1024);
    }

    /** Bytes since the start, as the garbage collector counts them. */
    private double allocated() throws IOException, InterruptedException {
        HttpRequest metrics = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + ground.managementPort() + "/actuator/prometheus"))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(metrics, HttpResponse.BodyHandlers.ofString())
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("jvm_gc_memory_allocated_bytes_total"))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        }
    }
}
