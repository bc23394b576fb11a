package io.sallyport.credential.vault;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stands in for a Vault server: the part of its HTTP API that the broker uses, by its documentation (developer.hashicorp.com/vault/api-docs),
 * with its statuses and the shape of its errors. Its errors repeat what was sent, as some real ones do: nothing of them may be shown.
 */
final class StandIn implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();

    /** What the server says: a status and a body; null for none. */
    record Reply(int status, @Nullable Object body) {}

    /** @param maxLives in seconds from its making; 0 for no end */
    private static final class Token {
        final List<String> may = new ArrayList<>();
        long ends;
        long lastEnd;
        long ttl;
        boolean renewable;
    }

    private record Wrapped(String path, Map<String, Object> content) {}

    private static final class Lease {
        String token = "";
        long ends;
        long lastEnd;
        boolean renewable = true;
    }

    final TestClock clock = new TestClock();

    /** Method and path of each request, in order. */
    final List<String> asked = new CopyOnWriteArrayList<>();

    /** What dynamic roles give for how long: seconds of a lease, and of its longest life. */
    long leaseTtl = 3600;

    long leaseMax = 86_400;
    long tokenTtl = 1200;
    long tokenMax = 7200;

    /** Set: every answer has it, as a sealed or a standby server's. */
    volatile @Nullable Reply always;

    /** The stand-in's own mistake, for a test to throw. */
    volatile @Nullable RuntimeException fault;

    private final HttpServer server;
    private final Map<String, Token> tokens = new HashMap<>();
    private final Map<String, Wrapped> wrapped = new HashMap<>();
    private final Map<String, Lease> leases = new HashMap<>();
    private final Map<String, String> mounts = new TreeMap<>();
    private final Map<String, TreeMap<Integer, Map<String, Object>>> versions = new HashMap<>();
    private final Map<String, Map<String, Object>> values = new HashMap<>();
    private final Map<String, List<String>> secretIds = new HashMap<>();
    private final Map<String, List<String>> policies = new HashMap<>();
    private final Map<String, String> jwts = new HashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();

    StandIn(TestCertificates.Issued certificate) {
        try {
            HttpsServer https = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 50);
            https.setHttpsConfigurator(new HttpsConfigurator(certificate.serverContext()));
            server = https;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/v1/", this::serve);
        server.start();
        Token root = new Token();
        root.may.add("");
        tokens.put("root", root);
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** A JWT that the method's role takes. */
    void takes(String role, String jwt) {
        jwts.put(role, jwt);
    }

    long now() {
        return clock.instant().getEpochSecond();
    }

    List<String> held() {
        return leases.entrySet().stream()
                .filter(lease -> lease.getValue().ends > now() && alive(lease.getValue().token))
                .map(Map.Entry::getKey)
                .toList();
    }

    void endTokens() {
        tokens.keySet().retainAll(List.of("root"));
    }

    private boolean alive(@Nullable String token) {
        Token known = tokens.get(token);
        return known != null && (known.ends == 0 || known.ends > now());
    }

    private synchronized void serve(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        String namespace = exchange.getRequestHeaders().getFirst("X-Vault-Namespace");
        String path = exchange.getRequestURI().getPath().substring("/v1/".length());
        asked.add(exchange.getRequestMethod() + " " + (namespace == null ? "" : namespace + ":") + path);
        Reply reply;
        try {
            reply = always != null
                    ? always
                    : answer(
                            exchange.getRequestMethod(),
                            (namespace == null ? "" : namespace + "/") + path,
                            path,
                            exchange,
                            body.isEmpty() ? Map.of() : map(body));
        } catch (RuntimeException e) {
            fault = e;
            reply = error(500, String.valueOf(e));
        }
        byte[] bytes = reply.body() == null ? new byte[0] : JSON.writeValueAsBytes(reply.body());
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(String json) {
        return JSON.readValue(json, Map.class);
    }

    private static Reply error(int status, String what) {
        return new Reply(status, Map.of("errors", List.of(what)));
    }

    /** @param key path with the namespace before it; @param path as asked */
    private Reply answer(String method, String key, String path, HttpExchange exchange, Map<String, Object> body) {
        String token = exchange.getRequestHeaders().getFirst("X-Vault-Token");
        Reply open = open(path, body, token);
        if (open != null) {
            return open;
        }
        if (!alive(token)) {
            return error(403, "permission denied: token " + token);
        }
        if (path.startsWith("auth/token/") || path.startsWith("sys/leases/") || path.startsWith("sys/internal/")) {
            Reply own = own(path, token, body);
            if (own != null) {
                return own;
            }
        }
        if (tokens.get(token).may.stream().noneMatch(key::startsWith)) {
            return error(403, "1 error occurred:\n\t* permission denied " + body);
        }
        return "root".equals(token) && administers(method, path)
                ? administered(path, body, exchange.getRequestHeaders().getFirst("X-Vault-Wrap-TTL"))
                : engine(
                        method, key, path, token, body, exchange.getRequestURI().getQuery());
    }

    private @Nullable Reply open(String path, Map<String, Object> body, @Nullable String token) {
        return switch (path) {
            case "sys/wrapping/lookup" -> {
                Wrapped found = wrapped.get(body.get("token"));
                yield found == null
                        ? error(400, "wrapping token is not valid or does not exist: " + body.get("token"))
                        : new Reply(200, Map.of("data", Map.of("creation_path", found.path(), "creation_ttl", 300)));
            }
            case "sys/wrapping/unwrap" -> {
                Wrapped found = wrapped.remove(token);
                yield found == null
                        ? error(400, "wrapping token is not valid or does not exist: " + token)
                        : new Reply(200, found.content());
            }
            case "auth/approle/login" -> {
                String role = String.valueOf(body.get("role_id")).replace("id-of-", "");
                yield secretIds.getOrDefault(role, List.of()).contains(body.get("secret_id"))
                        ? loggedIn(role)
                        : error(400, "invalid role or secret ID " + body.get("secret_id"));
            }
            case "auth/kubernetes/login", "auth/jwt/login" -> {
                String role = String.valueOf(body.get("role"));
                yield body.get("jwt") != null && body.get("jwt").equals(jwts.get(role))
                        ? loggedIn(role)
                        : error(403, "permission denied " + body.get("jwt"));
            }
            default -> null;
        };
    }

    private Reply loggedIn(String role) {
        String value = "hvs.token-of-" + role + "-" + numbers.incrementAndGet();
        Token token = new Token();
        token.may.addAll(policies.getOrDefault(role, List.of()));
        token.ttl = tokenTtl;
        token.ends = now() + tokenTtl;
        token.lastEnd = now() + tokenMax;
        token.renewable = true;
        tokens.put(value, token);
        return new Reply(
                200,
                envelope(Map.of(
                        "client_token",
                        value,
                        "accessor",
                        "a",
                        "policies",
                        List.of(role),
                        "lease_duration",
                        tokenTtl,
                        "renewable",
                        true)));
    }

    private static Map<String, Object> envelope(Map<String, Object> auth) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("lease_id", "");
        all.put("renewable", false);
        all.put("lease_duration", 0);
        all.put("data", null);
        all.put("auth", auth);
        return all;
    }

    private @Nullable Reply own(String path, String value, Map<String, Object> body) {
        Token token = tokens.get(value);
        switch (path) {
            case "auth/token/lookup-self" -> {
                return new Reply(
                        200,
                        Map.of(
                                "data",
                                Map.of(
                                        "id",
                                        value,
                                        "ttl",
                                        token.ends == 0 ? 0 : token.ends - now(),
                                        "renewable",
                                        token.renewable)));
            }
            case "auth/token/renew-self" -> {
                token.ends = Math.min(now() + token.ttl, token.lastEnd);
                return new Reply(
                        200,
                        envelope(Map.of(
                                "client_token",
                                value,
                                "accessor",
                                "a",
                                "policies",
                                List.of(),
                                "lease_duration",
                                token.ends - now(),
                                "renewable",
                                token.renewable)));
            }
            case "auth/token/revoke-self" -> {
                tokens.remove(value);
                return new Reply(204, null);
            }
            case "sys/leases/renew" -> {
                Lease lease = leases.get(body.get("lease_id"));
                if (lease == null || lease.ends <= now() || !alive(lease.token)) {
                    return error(400, "lease not found: " + body.get("lease_id"));
                }
                if (!lease.renewable) {
                    return error(400, "lease is not renewable");
                }
                lease.ends = Math.min(now() + ((Number) body.get("increment")).longValue(), lease.lastEnd);
                return new Reply(
                        200,
                        Map.of(
                                "lease_id",
                                body.get("lease_id"),
                                "renewable",
                                true,
                                "lease_duration",
                                lease.ends - now()));
            }
            case "sys/leases/revoke" -> {
                return leases.remove(body.get("lease_id")) == null
                        ? error(400, "invalid lease ID " + body.get("lease_id"))
                        : new Reply(204, null);
            }
            default -> {
                String prefix = "sys/internal/ui/mounts/";
                return path.startsWith(prefix) ? mounted(path.substring(prefix.length()), token) : null;
            }
        }
    }

    private Reply mounted(String path, Token token) {
        String mount = mountOf(path);
        if (mount == null || token.may.isEmpty()) {
            return error(
                    403,
                    "preflight capability check returned 403, please ensure client's policies grant access to path \""
                            + path + "\"");
        }
        String type = mounts.get(mount);
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("path", mount);
        data.put("type", type.replaceAll("-\\d$", ""));
        data.put("options", type.equals("kv-2") ? Map.of("version", "2") : null);
        return new Reply(200, Map.of("data", data));
    }

    private @Nullable String mountOf(String path) {
        return mounts.keySet().stream()
                .filter(path::startsWith)
                .reduce((one, other) -> one.length() > other.length() ? one : other)
                .orElse(null);
    }

    private static boolean administers(String method, String path) {
        return !method.equals("GET") && (path.startsWith("sys/") || path.startsWith("auth/"))
                || path.endsWith("/role-id");
    }

    private Reply administered(String path, Map<String, Object> body, @Nullable String wrapTtl) {
        String[] at = path.split("/");
        if (path.startsWith("sys/mounts/")) {
            mounts.put(
                    path.substring("sys/mounts/".length()) + "/",
                    JSON.valueToTree(body)
                                    .path("options")
                                    .path("version")
                                    .asString("")
                                    .equals("2")
                            ? "kv-2"
                            : String.valueOf(body.get("type")));
        } else if (path.startsWith("sys/policies/acl/")) {
            JsonNode rules = JSON.readTree(String.valueOf(body.get("policy"))).path("path");
            policies.put(
                    at[3],
                    rules.propertyNames().stream().map(p -> p.replace("*", "")).toList());
        } else if (path.endsWith("/role-id")) {
            return new Reply(200, Map.of("data", Map.of("role_id", "id-of-" + at[3])));
        } else if (path.endsWith("/secret-id")) {
            String id = "secret-id-" + numbers.incrementAndGet();
            secretIds.computeIfAbsent(at[3], role -> new ArrayList<>()).add(id);
            return maybeWrapped(path, wrapTtl, Map.of("data", Map.of("secret_id", id)));
        } else if (path.equals("auth/token/create")) {
            Reply login =
                    loggedIn(JSON.valueToTree(body).path("policies").path(0).asString());
            @SuppressWarnings("unchecked")
            Map<String, Object> content = (Map<String, Object>) login.body();
            return maybeWrapped(path, wrapTtl, content);
        }
        return new Reply(204, null);
    }

    private Reply maybeWrapped(String path, @Nullable String wrapTtl, Map<String, Object> content) {
        if (wrapTtl == null) {
            return new Reply(200, content);
        }
        String token = "hvs.wrapping-" + numbers.incrementAndGet();
        wrapped.put(token, new Wrapped(path, content));
        return new Reply(200, Map.of("wrap_info", Map.of("token", token, "creation_path", path)));
    }

    private Reply engine(
            String method, String key, String path, String token, Map<String, Object> body, @Nullable String query) {
        String mount = mountOf(path);
        if (mount == null) {
            return error(404, "no handler for route \"" + path + "\". route entry not found.");
        }
        String type = mounts.get(mount);
        String rest = path.substring(mount.length());
        return switch (type) {
            case "kv-2" ->
                versioned(
                        method, key.replaceFirst(mount + "(data|delete|destroy|metadata)/", mount), rest, body, query);
            case "kv", "kv-1" -> plain(method, key, body);
            case "transit" -> transit(rest, body);
            default -> made(type, rest, token, body);
        };
    }

    private Reply plain(String method, String key, Map<String, Object> body) {
        if (!method.equals("GET")) {
            values.put(key, body);
            return new Reply(204, null);
        }
        Map<String, Object> value = values.get(key);
        return value == null
                ? new Reply(404, Map.of("errors", List.of()))
                : new Reply(
                        200, Map.of("lease_id", "", "renewable", false, "lease_duration", 2_764_800, "data", value));
    }

    @SuppressWarnings("unchecked")
    private Reply versioned(String method, String key, String rest, Map<String, Object> body, @Nullable String query) {
        TreeMap<Integer, Map<String, Object>> all = versions.computeIfAbsent(key, path -> new TreeMap<>());
        if (!method.equals("GET")) {
            if (rest.startsWith("data/")) {
                Map<String, Object> version = new LinkedHashMap<>();
                version.put("data", body.get("data"));
                version.put(
                        "metadata",
                        new LinkedHashMap<>(
                                Map.of("version", all.size() + 1, "deletion_time", "", "destroyed", false)));
                all.put(all.size() + 1, version);
                return new Reply(200, Map.of("data", version.get("metadata")));
            }
            for (Object number : (List<Object>) body.get("versions")) {
                Map<String, Object> version = all.get(((Number) number).intValue());
                version.put("data", null);
                ((Map<String, Object>) version.get("metadata"))
                        .put(
                                rest.startsWith("delete/") ? "deletion_time" : "destroyed",
                                rest.startsWith("delete/") ? "2026-01-01T00:00:00Z" : (Object) true);
            }
            return new Reply(204, null);
        }
        int number = query == null || query.isEmpty() ? 0 : Integer.parseInt(query.replace("version=", ""));
        Map<String, Object> version = all.isEmpty() || !rest.startsWith("data/")
                ? null
                : number == 0 ? all.lastEntry().getValue() : all.get(number);
        if (version == null) {
            return new Reply(404, Map.of("errors", List.of()));
        }
        Map<String, Object> whole = new LinkedHashMap<>();
        whole.put("lease_id", "");
        whole.put("lease_duration", 0);
        whole.put("renewable", false);
        whole.put("data", version);
        return new Reply(version.get("data") == null ? 404 : 200, whole);
    }

    private Reply made(String type, String rest, String token, Map<String, Object> body) {
        if (!rest.matches("(creds|sts)/readonly")) {
            return error(400, "unknown role: " + rest);
        }
        int number = numbers.incrementAndGet();
        Lease lease = new Lease();
        lease.token = token;
        lease.ends = now() + Math.min(leaseTtl, leaseMax);
        lease.lastEnd = now() + leaseMax;
        lease.renewable = !rest.startsWith("sts/");
        String id = type + "/" + rest + "/lease-" + number;
        leases.put(id, lease);
        Map<String, Object> data = new LinkedHashMap<>();
        if (type.equals("aws")) {
            data.put("access_key", "AKIAEXAMPLE" + number);
            data.put("secret_key", "secret-key-made-" + number + body.getOrDefault("role_session_name", ""));
            data.put("security_token", rest.startsWith("sts/") ? "session-token-" + number : null);
        } else {
            data.put("username", "v-readonly-" + number);
            data.put("password", "password-made-" + number);
        }
        return new Reply(
                200,
                Map.of(
                        "lease_id",
                        id,
                        "renewable",
                        lease.renewable,
                        "lease_duration",
                        lease.ends - now(),
                        "data",
                        data));
    }

    /** Reversible without being secret: what is tested is who holds what, and the form. */
    private static Reply transit(String rest, Map<String, Object> body) {
        String[] at = rest.split("/");
        if (at[0].equals("keys")) {
            return new Reply(204, null);
        }
        String mark = at[1] + "|" + body.getOrDefault("associated_data", "") + "|";
        if (at[0].equals("encrypt")) {
            String cipher = Base64.getEncoder().encodeToString((mark + body.get("plaintext")).getBytes(UTF_8));
            return new Reply(200, Map.of("data", Map.of("ciphertext", "vault:v1:" + cipher, "key_version", 1)));
        }
        String text = String.valueOf(body.get("ciphertext")).replaceFirst("^vault:v\\d+:", "");
        String plain = new String(Base64.getDecoder().decode(text), UTF_8);
        return plain.startsWith(mark)
                ? new Reply(200, Map.of("data", Map.of("plaintext", plain.substring(mark.length()))))
                : error(400, "invalid ciphertext: unable to decrypt " + text);
    }

    @Override
    public void close() {
        server.stop(0);
        if (fault != null) {
            throw fault;
        }
    }
}
