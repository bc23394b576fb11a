package io.sallyport.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.grant.TaskListener;
import io.sallyport.http.IpRange;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The operator API of a running broker, as a script meets it. */
@Tag("slow")
class OperatorApiTest {

    private static final String SECRET = "s3cr3t-Ab/Cd+Ef=Gh-0123456789";
    private static final String JSON = "application/json";

    @TempDir
    static Path home;

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static BusyBroker busy;

    @BeforeAll
    static void start() throws IOException {
        busy = BusyBroker.start(home);
    }

    @AfterAll
    static void stop() {
        busy.close();
    }

    @Test
    void without_the_token_or_with_another_nothing_is_told() throws Exception {
        for (String token :
                List.of("", "Bearer ", "Bearer wrong", "Basic b3BlcmF0b3I6", "Bearer " + "x".repeat(5000))) {
            HttpRequest.Builder asked = HttpRequest.newBuilder(busy.broker().operator("/api/v1/status"));
            HttpResponse<String> answer = CLIENT.send(
                    token.isEmpty()
                            ? asked.build()
                            : asked.header("Authorization", token).build(),
                    BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(token).isEqualTo(401);
            assertThat(answer.headers().firstValue("WWW-Authenticate"))
                    .get()
                    .asString()
                    .startsWith("Bearer");
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
        }
    }

    @Test
    void the_token_s_file_is_the_owner_s_alone_and_the_database_does_not_hold_it() throws Exception {
        Path file = home.resolve("data/operator-token");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(filesWith(busy.broker().operatorToken())).containsExactly(file);
    }

    @Test
    void what_a_call_does_not_know_is_an_error_that_says_what_is_allowed() throws Exception {
        JsonNode parameter = problem(get("/ledger?taks=1"), 400);
        assertThat(parameter.path("where").asString()).isEqualTo("taks");
        assertThat(parameter.path("allowed").asString()).contains("task", "sha256");
        assertThat(problem(get("/ledger?task=a&task=b"), 400).path("detail").asString())
                .contains("more than once");
        assertThat(problem(get("/ledger?sha256=xyz"), 400).path("allowed").asString())
                .contains("64");
        assertThat(problem(get("/ledger?limit=1001"), 400).path("where").asString())
                .isEqualTo("limit");
        assertThat(problem(post("/revocations", "{\"selct\":{\"task\":\"a\"},\"reason\":\"r\"}"), 400)
                        .path("where")
                        .asString())
                .isEqualTo("selct");
        assertThat(problem(post("/revocations", "{\"select\":{\"taks\":\"a\"},\"reason\":\"r\"}"), 400)
                        .path("detail")
                        .asString())
                .contains("taks");
        problem(post("/revocations", "{\"select\":{},\"reason\":\"r\"}"), 400);
        problem(post("/revocations", "{\"select\":{\"all\":true,\"task\":\"a\"},\"reason\":\"r\"}"), 400);
        problem(post("/revocations", "{\"select\":{\"task\":\"a\"},\"reason\":\" \"}"), 400);
        problem(
                post("/revocations", "{\"select\":{\"task\":\"a\"},\"select\":{\"task\":\"b\"},\"reason\":\"r\"}"),
                400);
        problem(post("/revocations", "{\"select\":"), 400);
        problem(get("/no-such-thing"), 404);
        problem(get("/tasks/no-such-task"), 404);
        problem(get("/ledger/999999"), 404);
    }

    @Test
    void a_grant_and_its_task_say_what_binds_them() throws Exception {
        busy.task("api-addressed", null, "Fix it");
        String place = busy.listening(
                "api-listening",
                new TaskListener.Port(IpRange.parse("127.0.0.1/32").orElseThrow()));
        JsonNode addressed = ok(get("/tasks/api-addressed"));
        JsonNode listening = ok(get("/tasks/api-listening"));
        String byAddress = "{\"kind\":\"address\",\"address\":\"10.2.3.4/32\"}";
        String byPort = "{\"kind\":\"port\",\"address\":\"127.0.0.1/32\",\"place\":\"" + place + "\"}";
        assertThat(addressed.path("task").path("binding").toString()).isEqualTo(byAddress);
        assertThat(addressed.path("grants").get(0).path("binding").toString()).isEqualTo(byAddress);
        assertThat(listening.path("task").path("binding").toString()).isEqualTo(byPort);
        assertThat(get("/grants").body()).contains(byAddress, byPort);
        ok(post("/revocations", "{\"select\":{\"task\":\"api-addressed\"},\"reason\":\"seen\"}"));
        ok(post("/revocations", "{\"select\":{\"task\":\"api-listening\"},\"reason\":\"seen\"}"));
    }

    @Test
    void a_task_is_seen_with_its_requests_and_ended() throws Exception {
        Grant grant = busy.task("api-task", "google/ada@acme.example", "Fix it");
        JsonNode seen = ok(get("/tasks/api-task"));
        assertThat(seen.path("task").path("uses").asInt()).isEqualTo(2);
        assertThat(seen.path("task").path("bytes_out").asLong()).isEqualTo(3_000_000);
        assertThat(seen.path("never_used").toString()).isEqualTo("[\"pull\"]");
        assertThat(seen.path("last_requests").get(0).path("outcome").asString()).isEqualTo("destination_not_allowed");
        assertThat(seen.path("last_requests").get(1).path("outcome").asString()).isEqualTo("200");
        assertThat(get("/tasks").body()).contains("api-task");
        assertThat(get("/grants").body()).contains("g-api-task");
        JsonNode receipt = ok(post("/revocations", "{\"select\":{\"task\":\"api-task\"},\"reason\":\"leaked\"}"));
        assertThat(receipt.path("grants").toString()).isEqualTo("[\"g-api-task\"]");
        assertThat(receipt.path("durable").asBoolean()).isTrue();
        assertThat(busy.broker().bean(Grants.class).stands(grant)).isFalse();
        assertThat(ok(get("/revocations/" + receipt.path("id").asString())).path("grants"))
                .hasSize(1);
        problem(get("/tasks/api-task"), 404);
        JsonNode entry = ok(get("/ledger?kind=revoked")).path("entries").get(0);
        assertThat(entry.path("entry").path("by").asString()).isEqualTo("operator by API from 127.0.0.1");
        JsonNode found = ok(get("/ledger?task=api-task&sha256=" + BusyBroker.CONTENT_SHA256));
        assertThat(found.path("entries")).hasSize(1);
        assertThat(found.toString()).contains(BusyBroker.CONTENT_SHA256);
        assertThat(ok(post("/ledger/verify", "")).path("intact").asBoolean()).isTrue();
    }

    @Test
    void a_lock_is_wide_and_is_lifted_with_a_reason() throws Exception {
        problem(post("/locks", "{\"select\":{\"task\":\"t\"},\"reason\":\"r\"}"), 400);
        ok(post("/locks", "{\"select\":{\"person\":\"google/eve@acme.example\"},\"reason\":\"left\"}"));
        JsonNode lock = ok(get("/locks")).path("locks").get(0);
        assertThat(lock.path("select").path("person").asString()).isEqualTo("google/eve@acme.example");
        String id = lock.path("id").asString();
        problem(send("DELETE", "/locks/" + id, JSON, ""), 400);
        assertThat(send("DELETE", "/locks/" + id + "?reason=back", JSON, "").statusCode())
                .isEqualTo(204);
        problem(send("DELETE", "/locks/" + id + "?reason=back", JSON, ""), 404);
    }

    @Test
    void documents_of_the_database_are_written_and_removed_and_those_in_files_are_not() throws Exception {
        String yaml = """
                sallyport: v1
                credential: local-one
                destinations: ["https://api.example.com"]
                source: {kind: local}
                inject: {kind: bearer}
                blast-radius: low
                """;
        ok(send("PUT", "/credentials/local-one", "application/yaml", yaml));
        assertThat(ok(get("/credentials/local-one"))
                        .path("document")
                        .path("home")
                        .asString())
                .isEqualTo("database");
        assertThat(problem(send("PUT", "/credentials/local-two", "application/yaml", "sallyport: v2\n"), 422)
                        .path("problems"))
                .isNotEmpty();
        assertThat(problem(send("PUT", "/credentials/github-acme", "application/yaml", yaml), 409)
                        .path("detail")
                        .asString())
                .contains("read-only");
        problem(send("DELETE", "/policies/site-fixer", JSON, ""), 409);
        problem(send("DELETE", "/policies/none", JSON, ""), 404);

        assertThat(ok(post("/credentials/local-one/test", "")).toString())
                .isEqualTo(
                        "{\"works\":false,\"parts\":[],\"lives_seconds\":0,\"kind\":\"missing\",\"cause\":\"no secret has been entered\"}");
        HttpResponse<String> put = send("POST", "/credentials/local-one/secret", "application/octet-stream", SECRET);
        assertThat(put.statusCode()).isEqualTo(204);
        assertThat(put.body()).isEmpty();
        assertThat(filesWith(SECRET)).isEmpty();
        HttpResponse<String> refused =
                send("POST", "/credentials/github-acme/secret", "application/octet-stream", SECRET);
        problem(refused, 422);
        assertThat(refused.body()).doesNotContain(SECRET);
        JsonNode works = ok(post("/credentials/local-one/test", ""));
        assertThat(works.path("works").asBoolean()).isTrue();
        assertThat(works.path("parts").toString()).isEqualTo("[\"secret\"]");
        assertThat(works.toString()).doesNotContain(SECRET);
        problem(post("/credentials/none/test", ""), 404);
        assertThat(ok(get("/ledger?limit=50")).toString()).contains("credential test local-one: works");
        assertThat(ok(get("/source-revocations")).toString()).isEqualTo("{\"revocations\":[],\"abandoned\":0}");
        problem(send("POST", "/credentials/local-one/secret", "application/octet-stream", "x".repeat(20_000)), 422);
        problem(send("POST", "/credentials/none/secret", "application/octet-stream", SECRET), 404);
        assertThat(get("/credentials/local-one").body()
                        + get("/ledger?kind=operated").body())
                .doesNotContain(SECRET)
                .contains("local-one");
        assertThat(get("/ledger?kind=operated").body()).contains("credential put local-one");
        assertThat(send("DELETE", "/credentials/local-one", JSON, "").statusCode())
                .isEqualTo(204);
        problem(get("/credentials/local-one"), 404);
        ok(post("/reload", ""));
    }

    @Test
    void the_interception_ca_is_rolled_over_without_a_restart_and_each_step_is_in_the_ledger() throws Exception {
        String before = published();
        String old = ok(get("/authorities")).at("/authorities/0/id").asString();
        assertThat(problem(post("/authorities/promote", "{}"), 409)
                        .path("detail")
                        .asString())
                .contains("no successor");

        JsonNode made = ok(post("/authorities/successor", "{}"));
        assertThat(made.path("authorities").findValuesAsString("use")).containsExactly("signs", "succeeds");
        assertThat(published()).startsWith(before).hasSizeGreaterThan(before.length());
        problem(post("/authorities/successor", "{}"), 409);
        problem(post("/authorities/" + old + "/withdraw", "{}"), 409);

        ok(post("/authorities/promote", "{}"));
        JsonNode withdrawn = ok(post("/authorities/" + old + "/withdraw", "{}"));
        assertThat(withdrawn.path("authorities").findValuesAsString("use")).containsExactly("withdrawn", "signs");
        assertThat(published()).doesNotContain(before);
        assertThat(ok(get("/ledger?kind=operated")).toString())
                .contains("authority successor ", "authority promote ", "authority withdraw " + old);
    }

    @Test
    void rotating_ends_the_old_token_at_once() throws Exception {
        String old = busy.broker().operatorToken();
        JsonNode rotated = ok(post("/operator-token/rotate", ""));
        assertThat(rotated.path("place").asString()).endsWith("/operator-token");
        assertThat(busy.broker().operatorToken()).isNotEqualTo(old);
        assertThat(rotated.toString()).doesNotContain(busy.broker().operatorToken());
        HttpResponse<String> with = CLIENT.send(
                HttpRequest.newBuilder(busy.broker().operator("/api/v1/status"))
                        .header("Authorization", "Bearer " + old)
                        .build(),
                BodyHandlers.ofString());
        assertThat(with.statusCode()).isEqualTo(401);
        ok(get("/status"));
    }

    @Test
    void what_is_confirmed_of_a_credential_is_what_has_to_be() throws Exception {
        assertThat(ok(get("/credentials/github-acme/places")).path("unconfirmed"))
                .isEmpty();
        problem(get("/credentials/nobody/places"), 404);
        problem(send("POST", "/credentials/nobody/places", "application/json", "{\"confirm\":[]}"), 404);
        problem(send("POST", "/credentials/github-acme/places", "application/json", "{}"), 400);
        HttpResponse<String> other = send(
                "POST",
                "/credentials/github-acme/places",
                "application/json",
                "{\"confirm\":[\"https://evil.example, as Bearer[]\"]}");
        problem(other, 409);
        ok(send("POST", "/credentials/github-acme/places", "application/json", "{\"confirm\":[]}"));
    }

    @Test
    void the_description_names_every_call_and_asks_for_the_token() throws Exception {
        JsonNode description = ok(get("/openapi.json"));
        assertThat(description.path("paths").propertyNames())
                .contains(
                        "/api/v1/status",
                        "/api/v1/reload",
                        "/api/v1/operator-token/rotate",
                        "/api/v1/policies",
                        "/api/v1/policies/{name}",
                        "/api/v1/credentials/{name}/secret",
                        "/api/v1/credentials/{name}/places",
                        "/api/v1/credentials/{name}/test",
                        "/api/v1/source-revocations",
                        "/api/v1/identities/{name}",
                        "/api/v1/tasks/{id}",
                        "/api/v1/grants",
                        "/api/v1/revocations",
                        "/api/v1/revocations/{id}",
                        "/api/v1/locks/{id}",
                        "/api/v1/ledger",
                        "/api/v1/ledger/{seq}",
                        "/api/v1/ledger/verify",
                        "/api/v1/authorities",
                        "/api/v1/authorities/{id}/withdraw")
                .allMatch(path -> path.startsWith("/api/v1/"));
        assertThat(description.path("security").toString()).isEqualTo("[{\"operatorToken\":[]}]");
        assertThat(description.toString()).doesNotContain("*/*").doesNotContain("Authentication");
    }

    @Test
    void the_first_sign_in_session_is_a_strict_cookie_and_the_page_allows_no_inline_script() throws Exception {
        HttpResponse<String> page = CLIENT.send(
                HttpRequest.newBuilder(busy.broker().operator("/console/sign-in"))
                        .build(),
                BodyHandlers.ofString());
        assertThat(page.headers().firstValue("Set-Cookie"))
                .get()
                .asString()
                .contains("HttpOnly", "SameSite=Strict", "Path=/console");
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .get()
                .asString()
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(page.headers().firstValue("Cache-Control")).get().asString().contains("no-store");
        HttpResponse<String> forged = CLIENT.send(
                HttpRequest.newBuilder(busy.broker().operator("/console/revoke"))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString("all=true&reason=forged"))
                        .build(),
                BodyHandlers.ofString());
        assertThat(forged.statusCode()).isEqualTo(302);
        assertThat(forged.headers().firstValue("Location")).get().asString().contains("/console/sign-in");
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return send("GET", path, JSON, "");
    }

    private static HttpResponse<String> post(String path, String body) throws Exception {
        return send("POST", path, JSON, body);
    }

    private static HttpResponse<String> send(String method, String path, String type, String body) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(busy.broker().operator("/api/v1" + path))
                        .header("Authorization", "Bearer " + busy.broker().operatorToken())
                        .header("Content-Type", type)
                        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static String published() throws Exception {
        return CLIENT.send(
                        HttpRequest.newBuilder(busy.broker().agent("/ca.pem")).build(), BodyHandlers.ofString())
                .body();
    }

    private static JsonNode ok(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body());
    }

    private static JsonNode problem(HttpResponse<String> answer, int status) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        return JsonMapper.shared().readTree(answer.body());
    }

    private static List<Path> filesWith(String text) throws IOException {
        try (Stream<Path> files = Files.walk(home.resolve("data"))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> contains(file, text))
                    .toList();
        }
    }

    private static boolean contains(Path file, String text) {
        try {
            return new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1).contains(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
