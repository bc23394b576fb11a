package io.sallyport.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** A git server: git's own http-backend behind TLS and Basic, as hosts that serve git over HTTPS are. */
public final class GitOrigin implements AutoCloseable {

    private final HttpsServer server;
    private final Path repositories;
    private final String expected;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> pushed = new CopyOnWriteArrayList<>();

    /** @param repositories the folder that holds bare ones */
    public GitOrigin(SSLContext tls, Path repositories, String user, String password) throws IOException {
        this.repositories = repositories;
        this.expected = "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes());
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::serve);
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Method, path and status of each, in order. */
    public List<String> requests() {
        return requests;
    }

    /** SHA-256 of the content of each POST to git-receive-pack, as it came, in order. */
    public List<String> pushed() {
        return pushed;
    }

    private void serve(HttpExchange exchange) throws IOException {
        String line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        if (!expected.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            requests.add(line + " 401");
            exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"git\"");
            exchange.sendResponseHeaders(401, -1);
            exchange.close();
            return;
        }
        requests.add(line + " served");
        Process backend = backend(exchange);
        Thread feed = Thread.ofVirtual().start(() -> feed(exchange, backend));
        try (InputStream out = new BufferedInputStream(backend.getInputStream())) {
            int status = 200;
            for (String field = line(out); !field.isEmpty(); field = line(out)) {
                int colon = field.indexOf(':');
                String value = field.substring(colon + 1).strip();
                if (field.substring(0, colon).equalsIgnoreCase("Status")) {
                    status = Integer.parseInt(value.substring(0, 3));
                } else {
                    exchange.getResponseHeaders().add(field.substring(0, colon), value);
                }
            }
            exchange.sendResponseHeaders(status, 0);
            try (OutputStream to = exchange.getResponseBody()) {
                out.transferTo(to);
            }
        } finally {
            backend.destroy();
            feed.interrupt();
        }
    }

    private Process backend(HttpExchange exchange) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("git", "http-backend");
        Map<String, String> environment = builder.environment();
        environment.put("GIT_PROJECT_ROOT", repositories.toString());
        environment.put("GIT_HTTP_EXPORT_ALL", "1");
        environment.put("GIT_HTTP_MAX_REQUEST_BUFFER", "100M");
        environment.put("REMOTE_USER", "agent");
        environment.put("REQUEST_METHOD", exchange.getRequestMethod());
        environment.put("PATH_INFO", exchange.getRequestURI().getPath());
        String query = exchange.getRequestURI().getQuery();
        environment.put("QUERY_STRING", query == null ? "" : query);
        pass(exchange, environment, "Content-Type", "CONTENT_TYPE");
        pass(exchange, environment, "Content-Length", "CONTENT_LENGTH");
        pass(exchange, environment, "Content-Encoding", "HTTP_CONTENT_ENCODING");
        pass(exchange, environment, "Git-Protocol", "GIT_PROTOCOL");
        return builder.start();
    }

    private static void pass(HttpExchange exchange, Map<String, String> environment, String field, String variable) {
        String value = exchange.getRequestHeaders().getFirst(field.toLowerCase(Locale.ROOT));
        if (value != null) {
            environment.put(variable, value);
        }
    }

    private void feed(HttpExchange exchange, Process backend) {
        MessageDigest sha256 = sha256();
        try (OutputStream in = new DigestOutputStream(backend.getOutputStream(), sha256)) {
            exchange.getRequestBody().transferTo(in);
        } catch (IOException backendEnded) {
            // It has read all that it wants.
        }
        if (exchange.getRequestURI().getPath().endsWith("/git-receive-pack")) {
            pushed.add(HexFormat.of().formatHex(sha256.digest()));
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            text.append((char) c);
        }
        return text.toString().strip();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
