package io.sallyport.bench.hop;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A client that is started for one request: curl, with its connection, tunnel and handshakes. */
final class ColdClient {

    private ColdClient() {}

    static void print(List<Contender> contenders, int originPort, int times) throws Exception {
        Map<String, List<Double>> all = new LinkedHashMap<>();
        for (int n = 0; n < times + 3; n++) {
            for (Contender way : contenders) {
                double millis = once(way, originPort);
                if (n >= 3) {
                    all.computeIfAbsent(way.name(), name -> new ArrayList<>()).add(millis);
                }
            }
        }
        double direct = Rounds.median(all.get("direct"));
        System.out.printf(Locale.ROOT, "%na new process for one request (curl), %d times in turn, median:%n", times);
        all.forEach((name, millis) -> System.out.printf(
                Locale.ROOT,
                "%-15s %-7s %9.2f ms, %+.2f ms on direct%n",
                "cold client",
                name,
                Rounds.median(millis),
                Rounds.median(millis) - direct));
    }

    private static double once(Contender way, int originPort) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("curl", "-sS", "-4", "-f", "-o", "/dev/null", "--cacert"));
        command.add(way.trust().toString());
        int port = way.path().tunnel() == null ? way.path().address().getPort() : originPort;
        if (way.path().tunnel() != null) {
            command.addAll(
                    List.of("-x", "http://127.0.0.1:" + way.path().address().getPort()));
            String head = new String(way.path().tunnel(), java.nio.charset.StandardCharsets.US_ASCII);
            int token = head.indexOf("Proxy-Authorization: ");
            if (token >= 0) {
                command.addAll(List.of("--proxy-header", head.substring(token, head.indexOf('\r', token))));
            }
        }
        command.add("https://localhost:" + port + "/bench");
        long begin = System.nanoTime();
        Process curl = new ProcessBuilder(command).inheritIO().start();
        if (curl.waitFor() != 0) {
            throw new IllegalStateException(way.name() + ": curl failed");
        }
        return (System.nanoTime() - begin) / 1e6;
    }
}
