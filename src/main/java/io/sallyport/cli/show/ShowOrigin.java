package io.sallyport.cli.show;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/** An upstream for the show: it stores notes, echoes what it receives (as careless ones do), streams, and writes down who came. */
final class ShowOrigin implements AutoCloseable {

    static final String HOST = "api.show.test";

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Seen> seen = new ArrayList<>();
    private final CountDownLatch streamEnded = new CountDownLatch(1);

    /** What the origin received: the line, and the fields that carry keys. */
    record Seen(String line, List<String> keys) {}

    ShowOrigin(SSLContext tls) throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.setExecutor(threads);
        server.createContext("/v1/notes", this::notes);
        server.createContext("/v1/echo", this::echo);
        server.createContext("/v1/stream", this::stream);
        server.createContext("/", exchange -> answer(exchange, 404, "{\"error\":\"no such thing\"}"));
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return "https://" + HOST + ":" + port();
    }

    synchronized int requests() {
        return seen.size();
    }

    synchronized Seen last() {
        return seen.getLast();
    }

    /** Whether the stream's connection broke within that time. */
    boolean streamEndedWithin(long milliseconds) throws InterruptedException {
        return streamEnded.await(milliseconds, TimeUnit.MILLISECONDS);
    }

    private void notes(HttpExchange exchange) throws IOException {
        int length = exchange.getRequestBody().readAllBytes().length;
        answer(exchange, 201, "{\"stored\":" + length + "}");
    }

    private void echo(HttpExchange exchange) throws IOException {
        String keys = keys(exchange).stream()
                .map(key -> "\"" + key.replaceFirst(": ", "\":\"") + "\"")
                .collect(Collectors.joining(","));
        answer(exchange, 200, "{\"you-sent\":{" + keys + "}}");
    }

    private void stream(HttpExchange exchange) throws IOException {
        write(exchange);
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            // Bounded, so that a hop that never cuts can't keep the show running for ever.
            for (int n = 1; n <= 3_000; n++) {
                out.write(("data: event " + n + "\n\n").getBytes(StandardCharsets.US_ASCII));
                out.flush();
                TimeUnit.MILLISECONDS.sleep(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            streamEnded.countDown();
        }
    }

    private void answer(HttpExchange exchange, int status, String json) throws IOException {
        write(exchange);
        exchange.getRequestBody().readAllBytes();
        byte[] bytes = (json + "\n").getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private synchronized void write(HttpExchange exchange) {
        seen.add(new Seen(exchange.getRequestMethod() + " " + exchange.getRequestURI(), keys(exchange)));
    }

    private static List<String> keys(HttpExchange exchange) {
        List<String> keys = new ArrayList<>();
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (name.equalsIgnoreCase("authorization") || name.equalsIgnoreCase("x-api-key")) {
                values.forEach(value -> keys.add(name + ": " + value));
            }
        });
        return List.copyOf(keys);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
