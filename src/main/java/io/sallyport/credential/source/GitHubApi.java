package io.sallyport.credential.source;

import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.net.GuardedExchange;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls of GitHub's REST API, and what its refusals mean. Its own words are never repeated: they may quote the request. */
record GitHubApi(URI base, Reach reach) {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration WITHIN = Duration.ofSeconds(5);
    /** A token's answer describes each of its repositories, up to 500 of them. */
    private static final int LIMIT = 8 * 1024 * 1024;
    /** GitHub asks for that long a pause after a secondary limit that says nothing else. */
    private static final Duration SECONDARY = Duration.ofMinutes(1);

    /** An answer with its content read; missing where there was none. */
    record Answer(int status, Fields fields, JsonNode content) {}

    /** @param bearer a signed assertion of the App, or a token; @param content null for none */
    Answer call(Fetch fetch, String method, String path, String bearer, @Nullable Object content) throws SourceFault {
        if (fetch.tools().pauses().asked(fetch.credential(), base)) {
            throw SourceFault.down("GitHub has asked to wait");
        }
        GuardedExchange.Answer answer = send(fetch.tools(), method, path, bearer, content);
        limits(fetch, answer);
        return read(answer);
    }

    GuardedExchange.Answer send(SourceTools tools, String method, String path, String bearer, @Nullable Object content)
            throws SourceFault {
        Fields fields = Fields.of("Accept", "application/vnd.github+json", "X-GitHub-Api-Version", "2022-11-28")
                .plus(new Field("Authorization", "Bearer " + bearer, true));
        if (content != null) {
            fields = fields.plus(new Field("Content-Type", "application/json"));
        }
        String root = base.toString();
        URI uri = URI.create((root.endsWith("/") ? root.substring(0, root.length() - 1) : root) + path);
        byte[] bytes = content == null ? null : JSON.writeValueAsBytes(content);
        return reach.ask(tools, "GitHub", new Reach.Question(method, uri, fields, bytes), WITHIN, LIMIT);
    }

    private static Answer read(GuardedExchange.Answer answer) throws SourceFault {
        try {
            return new Answer(answer.status(), answer.fields(), JSON.readTree(answer.content()));
        } catch (JacksonException e) {
            if (answer.status() >= 300) {
                return new Answer(answer.status(), answer.fields(), JSON.createObjectNode());
            }
            throw SourceFault.bad("GitHub gave an answer that is no JSON");
        }
    }

    /** Primary limits say when they end, secondary ones sometimes; a 403 may be either, or none. */
    private void limits(Fetch fetch, GuardedExchange.Answer answer) throws SourceFault {
        int status = answer.status();
        Fields fields = answer.fields();
        boolean spent =
                fields.first("X-RateLimit-Remaining").filter("0"::equals).isPresent();
        boolean limited = status == 429 || status == 503 || (status == 403 && (spent || fields.has("Retry-After")));
        if (!limited) {
            return;
        }
        Pauses pauses = fetch.tools().pauses();
        if (fields.has("Retry-After")) {
            pauses.ask(fetch.credential(), base, fields);
        } else {
            pauses.ask(fetch.credential(), base, spent ? reset(fetch, fields) : SECONDARY);
        }
        throw SourceFault.down("GitHub has asked to wait (" + status + ")");
    }

    private static Duration reset(Fetch fetch, Fields fields) {
        return fields.first("X-RateLimit-Reset")
                .filter(said -> said.matches("\\d{1,12}"))
                .map(said ->
                        Duration.between(fetch.tools().clock().instant(), Instant.ofEpochSecond(Long.parseLong(said))))
                .orElse(SECONDARY);
    }

    /** What an answer that is none of the expected ones means. */
    static SourceFault fault(int status, String what) {
        return switch (status) {
            case 401 ->
                SourceFault.denied(
                        "GitHub does not take the App's assertion (401): its id, its private-key or this machine's clock is wrong");
            case 403 -> SourceFault.denied("GitHub does not allow the App " + what + " (403)");
            case 404 -> SourceFault.missing("GitHub knows nothing of " + what + " (404)");
            default ->
                status >= 500
                        ? SourceFault.down("GitHub failed (" + status + ")")
                        : SourceFault.bad("GitHub gave an unexpected answer for " + what + " (" + status + ")");
        };
    }
}
