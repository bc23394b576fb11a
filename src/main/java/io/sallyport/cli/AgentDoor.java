package io.sallyport.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The broker's agent door, as an agent runtime uses it: exchange, revoke, and the authority's certificate. */
public final class AgentDoor {

    private static final String EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
    private static final String JWT = "urn:ietf:params:oauth:token-type:jwt";
    private static final String ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

    private final URI base;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    public AgentDoor(URI base) {
        this.base = base;
    }

    /**
     * What an exchange gave.
     *
     * @param seconds until the token ends
     */
    public record TaskToken(String token, String task, String scope, long seconds, String json) {

        /** The kinds of listeners of tasks that are bound to one, by the member of the answer that says where it is. */
        private static final List<String> LISTENERS = List.of("proxy", "socket", "transparent");

        /** Where the task's own listener is, as {@code proxy http://127.0.0.1:13128}; empty where the token is shown instead. */
        public Optional<Listener> listener() {
            JsonNode where = Json.read(json).path("listener");
            return LISTENERS.stream()
                    .filter(where::has)
                    .findFirst()
                    .map(kind -> new Listener(kind, where.path(kind).asString()));
        }
    }

    /** @param kind {@code proxy}, {@code socket} or {@code transparent} */
    public record Listener(String kind, String place) {}

    /** @param workload the subject's token, or the actor's where {@code person} is given */
    public record Request(
            String workload, String person, List<String> scopes, List<String> resources, String details) {}

    /** RFC 8693. @throws CommandFailed with the broker's own words when it refuses */
    public TaskToken exchange(Request request) {
        List<Map.Entry<String, String>> form = new java.util.ArrayList<>();
        form.add(Map.entry("grant_type", EXCHANGE));
        boolean onBehalf = !request.person().isEmpty();
        form.add(Map.entry("subject_token", onBehalf ? request.person() : request.workload()));
        form.add(Map.entry("subject_token_type", JWT));
        if (onBehalf) {
            form.add(Map.entry("actor_token", request.workload()));
            form.add(Map.entry("actor_token_type", JWT));
        }
        form.add(Map.entry("scope", String.join(" ", request.scopes())));
        request.resources().forEach(resource -> form.add(Map.entry("resource", resource)));
        if (!request.details().isEmpty()) {
            form.add(Map.entry("authorization_details", request.details()));
        }
        String body = post("/oauth2/token", form);
        JsonNode answer = Json.read(body);
        return new TaskToken(
                answer.path("access_token").asString(),
                answer.path("task_id").asString(),
                answer.path("scope").asString(String.join(" ", request.scopes())),
                answer.path("expires_in").asLong(),
                body);
    }

    /** RFC 7009; the workload's own token proves who asks. */
    public void revoke(String token, String workload) {
        post(
                "/oauth2/revoke",
                List.of(
                        Map.entry("token", token),
                        Map.entry("client_assertion_type", ASSERTION),
                        Map.entry("client_assertion", workload)));
    }

    /** The interception authority's certificate, PEM. */
    public String authority() {
        return send(HttpRequest.newBuilder(base.resolve("/ca.pem")).GET());
    }

    private String post(String path, List<Map.Entry<String, String>> form) {
        String encoded = form.stream()
                .map(pair -> pair.getKey() + "=" + URLEncoder.encode(pair.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return send(HttpRequest.newBuilder(base.resolve(path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(encoded)));
    }

    private String send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> answer =
                    client.send(request.timeout(Duration.ofSeconds(30)).build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() == 200) {
                return answer.body();
            }
            throw new CommandFailed("the broker refuses (" + answer.statusCode() + "): " + reason(answer.body()));
        } catch (IOException e) {
            throw new CommandFailed(
                    "no broker answers at " + base + " (is it running? --agent names another place)", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted", e);
        }
    }

    private static String reason(String body) {
        try {
            JsonNode answer = Json.read(body);
            String description = answer.path("error_description").asString("");
            return answer.path("error").asString("") + (description.isEmpty() ? "" : ": " + description);
        } catch (RuntimeException notJson) {
            return body;
        }
    }
}
