package io.sallyport.credential;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.sallyport.http.Fields;
import io.sallyport.net.GuardedExchange;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * GitHub's REST API for Apps, as its documentation has it: one App, one installation at {@code acme}. A request for a token that names no
 * repositories gets all of them, as at GitHub.
 */
final class FakeGitHub implements GuardedExchange {

    static final String APP = "12345";
    static final String INSTALLATION = "678";

    private static final JsonMapper JSON = new JsonMapper();

    /** A token that was given: what for, and whether it still is one. */
    record Token(Set<String> repositories, Map<String, String> permissions) {}

    private final Clock clock;
    private final RSAPublicKey key;
    private final List<String> calls = new ArrayList<>();
    private final List<JsonNode> mints = new ArrayList<>();
    private final Map<String, Token> live = new LinkedHashMap<>();
    private final List<String> deleted = new ArrayList<>();
    private final Queue<Answer> answers = new ArrayDeque<>();
    private final Set<String> repositories = new TreeSet<>(Set.of("r1", "r2", "r3"));
    private final Map<String, String> permissions =
            new TreeMap<>(Map.of("contents", "write", "issues", "write", "metadata", "read"));
    private int number;
    boolean suspended;
    /** What becomes of an answer with a token before it is sent. */
    UnaryOperator<ObjectNode> changed = answer -> answer;

    FakeGitHub(Clock clock, RSAPublicKey key) {
        this.clock = clock;
        this.key = key;
    }

    synchronized void answer(int status, String... fields) {
        answers.add(new Answer(
                status, Fields.of(fields), "{\"message\":\"near s3cr3t\"}".getBytes(StandardCharsets.UTF_8)));
    }

    synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    synchronized List<JsonNode> mints() {
        return List.copyOf(mints);
    }

    synchronized @Nullable Token live(String token) {
        return live.get(token);
    }

    synchronized int alive() {
        return live.size();
    }

    synchronized List<String> deleted() {
        return List.copyOf(deleted);
    }

    @Override
    public synchronized Answer exchange(Request request) {
        String call = request.method() + " " + request.uri().getPath();
        calls.add(call);
        Answer staged = answers.poll();
        if (staged != null) {
            return staged;
        }
        String bearer = request.fields().first("Authorization").orElse("").replaceFirst("^Bearer ", "");
        if (call.equals("DELETE /installation/token")) {
            deleted.add(bearer);
            return live.remove(bearer) == null
                    ? answered(401, JSON.createObjectNode())
                    : new Answer(204, Fields.EMPTY, new byte[0]);
        }
        if (!isApp(bearer)) {
            return answered(401, JSON.createObjectNode());
        }
        return switch (call) {
            case "GET /repos/acme/r1/installation", "GET /app/installations/" + INSTALLATION ->
                answered(200, installation());
            case "POST /app/installations/" + INSTALLATION + "/access_tokens" -> mint(JSON.readTree(request.content()));
            default -> answered(404, JSON.createObjectNode());
        };
    }

    private boolean isApp(String bearer) {
        try {
            SignedJWT assertion = SignedJWT.parse(bearer);
            JWTClaimsSet claims = assertion.getJWTClaimsSet();
            Instant issued = claims.getIssueTime().toInstant();
            Instant end = claims.getExpirationTime().toInstant();
            return assertion.verify(new RSASSAVerifier(key))
                    && assertion.getHeader().getAlgorithm().getName().equals("RS256")
                    && claims.getIssuer().equals(APP)
                    // A clock that lags by half a minute must not find it issued in the future.
                    && !issued.isAfter(clock.instant().minusSeconds(30))
                    && end.isAfter(clock.instant())
                    && !end.isAfter(issued.plus(Duration.ofMinutes(10)));
        } catch (java.text.ParseException | JOSEException e) {
            return false;
        }
    }

    private ObjectNode installation() {
        ObjectNode answer = JSON.createObjectNode().put("id", Long.parseLong(INSTALLATION));
        permissions.forEach(answer.putObject("permissions")::put);
        return suspended ? answer.put("suspended_at", "2026-01-01T00:00:00Z") : answer.putNull("suspended_at");
    }

    private Answer mint(JsonNode asked) {
        mints.add(asked);
        Set<String> named = new TreeSet<>();
        asked.path("repositories").forEach(name -> named.add(name.stringValue()));
        Map<String, String> levels = new TreeMap<>();
        asked.path("permissions")
                .properties()
                .forEach(one -> levels.put(one.getKey(), one.getValue().stringValue()));
        boolean has = repositories.containsAll(named)
                && levels.entrySet().stream()
                        .allMatch(one -> permissions.containsKey(one.getKey())
                                && (one.getValue().equals("read")
                                        || one.getValue().equals(permissions.get(one.getKey()))));
        if (!has) {
            return answered(422, JSON.createObjectNode().put("message", "near s3cr3t"));
        }
        levels.putIfAbsent("metadata", "read");
        String token = "ghs_token-number-" + ++number;
        live.put(token, new Token(named.isEmpty() ? repositories : named, levels));
        ObjectNode answer = JSON.createObjectNode()
                .put("token", token)
                .put("expires_at", clock.instant().plus(Duration.ofHours(1)).toString())
                .put("repository_selection", named.isEmpty() ? "all" : "selected");
        levels.forEach(answer.putObject("permissions")::put);
        var list = answer.putArray("repositories");
        named.forEach(name -> list.addObject().put("name", name).put("full_name", "acme/" + name));
        return answered(201, changed.apply(answer));
    }

    private static Answer answered(int status, JsonNode content) {
        return new Answer(status, Fields.EMPTY, JSON.writeValueAsBytes(content));
    }
}
