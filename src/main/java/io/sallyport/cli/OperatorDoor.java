package io.sallyport.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The broker's operator API, with the operator token from its file. */
public final class OperatorDoor {

    /** RFC 6750 section 2.1, of a length that no password has. */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]{16,256}=*");

    private final URI base;
    private final Path tokenFile;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    public OperatorDoor(URI base, Path tokenFile) {
        this.base = base;
        this.tokenFile = tokenFile;
    }

    public JsonNode get(String pathAndQuery) {
        return send(request(pathAndQuery).GET());
    }

    public JsonNode post(String path, JsonNode body) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString())));
    }

    /** Streams bytes that this process never looks at. */
    public void upload(String path, InputStream bytes) {
        send(request(path)
                .header("Content-Type", "application/octet-stream")
                .POST(HttpRequest.BodyPublishers.ofInputStream(() -> bytes)));
    }

    private HttpRequest.Builder request(String pathAndQuery) {
        return HttpRequest.newBuilder(base.resolve(pathAndQuery))
                .timeout(Duration.ofMinutes(2))
                .header("Authorization", "Bearer " + token());
    }

    private String token() {
        try {
            String token = Files.readString(tokenFile).strip();
            // A wrong file may hold anything, a secret too: it is neither sent nor shown.
            if (!TOKEN.matcher(token).matches()) {
                throw new CommandFailed(tokenFile + " holds no operator token (--operator-token-file names another)");
            }
            return token;
        } catch (IOException e) {
            throw new CommandFailed(
                    "can't read the operator token at " + tokenFile + ": " + Complaint.ofFile(e)
                            + " (--operator-token-file names another)",
                    e);
        }
    }

    private JsonNode send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            JsonNode body = answer.body().isBlank() ? Json.MAPPER.createObjectNode() : Json.read(answer.body());
            if (answer.statusCode() / 100 == 2) {
                return body;
            }
            throw new CommandFailed("the broker refuses (" + answer.statusCode() + "): " + Complaint.ofProblem(body));
        } catch (IOException e) {
            throw new CommandFailed(
                    "no broker answers at " + base + " (is it running? --operator names another place)", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted", e);
        }
    }
}
