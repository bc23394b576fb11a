package io.sallyport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Needle;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestNameServer;
import io.sallyport.testing.TestOrigin;
import io.sallyport.testing.TestProcess;
import io.sallyport.testing.Tools;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Runs every flow of a whole broker, at debug level, with a marked secret of each source and injection, and then looks for each of them in
 * everything that the broker said, wrote or left behind (RW-66, RW-91). What agents and operators present is looked for too, where it has
 * no place.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CanaryTest {

    /** Each looks different in every encoding. */
    private static final String FILE = "sk-live-Ab/Cd+Ef=Gh&Ij\"Kl<Mn>7890qrSTuvWX";

    private static final String ENVIRONMENT = "env/Zy+Xw=Vu&Ts\"Rq<Po>Nm0123456789canary";
    private static final String LOCAL = "local/Qw+Er=Ty&Ui\"Op<As>Df9876543210canary";
    private static final String BROKEN = "broken/Lk+Jh=Gf&Ds\"Az<Xc>Vb1357924680canary";
    private static final String VARIABLE = "SALLYPORT_SECRET_CANARY";
    private static final String USER = "robot";

    /** What the agent brings of its own. */
    private static final String OWN_KEY = "agents-own-key-4f1d0c9be7";

    private static final String REFERER = "referer-token-8c2a6d5e01";

    private final List<Needle> secrets = List.of(
            Needle.of("the secret of the file", FILE),
            Needle.of("the secret of the environment", ENVIRONMENT).andBasic(USER, ENVIRONMENT),
            Needle.of("the local secret", LOCAL),
            Needle.of("the broken secret", BROKEN));

    /** Everything that agents and operators got, by what they did. */
    private final Map<String, String> heard = new LinkedHashMap<>();

    /** Tokens that were presented, by name: they may be in answers to their owners, and nowhere else. */
    private final Map<String, String> tokens = new LinkedHashMap<>();

    private final HttpClient client = HttpClient.newBuilder()
            .cookieHandler(new CookieManager())
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    private TestOrigin origin;
    private TestOrigin impostor;
    private TestNameServer names;
    private TestProcess broker;
    private String operatorToken;

    @BeforeAll
    void everyFlow() throws Exception {
        TestCertificates authority = TestCertificates.authority();
        origin = TestOrigin.tls(authority.issue("*.up.test"), TestOrigin.ok("hello"));
        impostor = TestOrigin.tls(TestCertificates.authority().issue("*.up.test"), TestOrigin.ok("hello"));
        names = new TestNameServer(TestNameServer.Step.addresses(60, "127.0.0.1"));
        broker = TestProcess.prepared();
        broker.setting(
                        "sallyport.proxy.upstream-trust",
                        "file:" + authority.writeRoot(broker.folder().resolve("up.pem")))
                .setting("sallyport.proxy.name-servers", names.address())
                // Every echo is masked, which would end the task long before the last of them.
                .setting("sallyport.proxy.limits.masks-per-task", "100000")
                .setting("logging.level.root", "debug")
                .setting("logging.level.org.apache.coyote", "trace")
                .setting("logging.level.org.springframework.web", "trace")
                .environment(VARIABLE, ENVIRONMENT)
                .environment(
                        "JAVA_TOOL_OPTIONS",
                        "-Djava.io.tmpdir="
                                + Files.createDirectories(broker.folder().resolve("tmp")))
                .secret("up", FILE + "\n")
                .secret("broken", BROKEN + "\r\nX-Evil: 1");
        documents();
        broker.start();
        operatorToken =
                Files.readString(broker.folder().resolve("data/operator-token")).strip();
        tokens.put("the operator token", operatorToken);
        operatorWritesSecrets();
        exchanges();
        agentAsks();
        sandboxEnvironment();
        operatorLooks();
        console();
        everythingStops();
        operatorLooks();
    }

    @AfterAll
    void stop() {
        broker.close();
        names.close();
        origin.close();
        impostor.close();
    }

    private void documents() {
        credential("bearer", "api", origin.port(), "{kind: file, name: up}", "{kind: bearer}");
        credential(
                "basic", "basic", origin.port(), "{kind: env, name: " + VARIABLE + "}", "{kind: basic, user: robot}");
        credential(
                "header",
                "header",
                origin.port(),
                "{kind: local}",
                "{kind: header, name: X-Key, template: \"token {secret}\"}");
        credential("broken", "broken", origin.port(), "{kind: file, name: broken}", "{kind: bearer}");
        credential("impostor", "impostor", impostor.port(), "{kind: file, name: up}", "{kind: bearer}");
        credential("absent", "absent", origin.port(), "{kind: file, name: absent}", "{kind: bearer}");
        policy("/v1/**");
    }

    private void credential(String name, String host, int port, String source, String inject) {
        broker.document("credentials", name, """
                sallyport: v1
                credential: %s
                destinations: ["https://%s.up.test:%d"]
                source: %s
                inject: %s
                blast-radius: low
                """.formatted(name, host, port, source, inject));
    }

    private void policy(String path) {
        StringBuilder text = new StringBuilder("""
                sallyport: v1
                policy: work
                owner: team@example.com
                reason: Runs every flow
                review-by: 2099-01-01
                who: [{identity: ci, subject: agent-1}]
                task: {ttl: 1h, uses: 10000, bytes-out: 10GiB, depth: 2, binding: address}
                scopes:
                """);
        Map.of("bearer", "api", "basic", "basic", "header", "header", "broken", "broken", "absent", "absent")
                .forEach((credential, host) -> text.append(scope(credential, host, origin.port(), path)));
        text.append(scope("impostor", "impostor", impostor.port(), path));
        text.append(scope("free", "free", origin.port(), path).replace("credential: free", "credential: none"));
        broker.document("policies", "work", text.toString());
    }

    private static String scope(String credential, String host, int port, String path) {
        return """
                  %1$s:
                    reason: Reads and writes
                    destination: {url: "https://%2$s.up.test:%3$d", addresses: [127.0.0.0/8]}
                    allow: ["GET,POST %4$s"]
                    credential: %1$s
                """.formatted(credential, host, port, path).indent(2);
    }

    private void operatorWritesSecrets() throws Exception {
        api("POST", "/api/v1/credentials/header/secret", "application/octet-stream", LOCAL);
        api("POST", "/api/v1/credentials/bearer/secret", "application/octet-stream", LOCAL);
        api("POST", "/api/v1/credentials/nobody/secret", "application/octet-stream", LOCAL);
        api("POST", "/api/v1/credentials/header/secret", "application/json", "{\"secret\":" + quoted(LOCAL) + "}");
        api(
                "POST",
                "/api/v1/credentials/header/secret",
                "application/x-www-form-urlencoded",
                "secret=" + encoded(LOCAL));
        api("POST", "/api/v1/credentials/header/secret", "application/octet-stream", LOCAL + "\r\nX-Evil: 1");
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\"", "\\\"") + "\"";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private void exchanges() throws Exception {
        String workload = token("a workload token", broker.workloadToken("agent-1"));
        String stranger = token("a stranger's token", broker.workloadToken("agent-2"));
        String spoiled =
                token("a token with a bad signature", workload.substring(0, workload.length() - 8) + "AAAAAAAA");
        exchange("good", workload, "work:bearer work:basic");
        exchange("of a stranger", stranger, "work:bearer");
        exchange("with a bad signature", spoiled, "work:bearer");
        exchange("without a scope", workload, "");
        exchange("with an unknown scope", workload, "work:everything");
        agentDoor("GET", "/oauth2/token?subject_token=" + workload, "");
        agentDoor("POST", "/oauth2/token?subject_token=" + workload, "grant_type=x");
        agentDoor("POST", "/oauth2/revoke?token=" + workload, "token=x");
        agentDoor("POST", "/nothing/" + workload, "subject_token=" + workload);
        for (String page : List.of("/.well-known/oauth-authorization-server", "/oauth2/jwks", "/ca.pem")) {
            agentDoor("GET", page, "");
        }
    }

    private String token(String name, String token) {
        tokens.put(name, token);
        return token;
    }

    private void exchange(String what, String subject, String scope) throws Exception {
        agentDoor(
                "POST",
                "/oauth2/token",
                "grant_type=" + encoded("urn:ietf:params:oauth:grant-type:token-exchange") + "&subject_token=" + subject
                        + "&subject_token_type=" + encoded("urn:ietf:params:oauth:token-type:jwt") + "&scope="
                        + encoded(scope) + "&x=" + encoded(what));
    }

    private String task(String name, String... scopes) {
        return token("the task token " + name, broker.task(scopes).token());
    }

    private void agentAsks() throws Exception {
        String task = task(
                "of the agent",
                "work:bearer",
                "work:basic",
                "work:header",
                "work:broken",
                "work:absent",
                "work:impostor",
                "work:free");
        for (String host : List.of("api", "basic", "header")) {
            Needle needle = secrets.get(List.of("api", "basic", "header").indexOf(host));
            origin.answer(TestOrigin.ok("hello"));
            inTunnel(host, task, "GET /v1/plain", "Referer: https://x.test/?access_token=" + REFERER);
            inTunnel(
                    host,
                    task,
                    "GET /v1/own?q=1&api_key=" + OWN_KEY,
                    "Authorization: Bearer " + OWN_KEY,
                    "Cookie: s=" + OWN_KEY);
            inTunnel(host, task, "GET /refused?api_key=" + OWN_KEY, "x-api-key: " + OWN_KEY);
            inTunnel(host, task, "DELETE /v1/x?access_token=" + OWN_KEY);
            echoes(host, task, needle);
            Map.of("api", FILE, "basic", ENVIRONMENT, "header", LOCAL).entrySet().stream()
                    .filter(own -> own.getKey().equals(host))
                    .forEach(own -> brokenAnswers(host, task, own.getValue()));
        }
        origin.answer(TestOrigin.ok("hello"));
        inTunnel("broken", task, "GET /v1/x");
        inTunnel("absent", task, "GET /v1/x");
        inTunnel("free", task, "GET /v1/presigned?X-Amz-Signature=" + OWN_KEY + "&q=1");
        connect("impostor", impostor.port(), task, "GET /v1/x");
        misuse(task);
    }

    /** Each form in reason, field, content and trailer, over one connection. */
    private void echoes(String host, String task, Needle needle) {
        try (RawClient agent = broker.tunnel(host + ".up.test", origin.port(), task)) {
            needle.echoes().forEach((form, value) -> {
                String chunk = "before " + value + " after\n";
                origin.answer(TestOrigin.raw("HTTP/1.1 200 Fine " + value + "\r\nX-Echo: " + value
                        + "\r\nSet-Cookie: s=" + value + "\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + Integer.toHexString(chunk.length()) + "\r\n" + chunk + "\r\n0\r\nX-Trailer: " + value
                        + "\r\n\r\n"));
                RawClient.Answer answer = agent.send(
                                "GET /v1/echo HTTP/1.1\r\nHost: " + host + ".up.test:" + origin.port() + "\r\n\r\n")
                        .read();
                heard(host + " echoes " + form, answer.head() + answer.text() + answer.trailers());
            });
        }
    }

    private void brokenAnswers(String host, String task, String secret) {
        Map<String, String> answers = new LinkedHashMap<>();
        answers.put(
                "redirect",
                "HTTP/1.1 302 Found\r\nLocation: https://free.up.test/?key=" + secret
                        + "\r\nContent-Length: 0\r\n\r\n");
        answers.put("error", "HTTP/1.1 500 Oops\r\nContent-Length: " + secret.length() + "\r\n\r\n" + secret);
        answers.put("challenge", "HTTP/1.1 407 No\r\nProxy-Authenticate: " + secret + "\r\nContent-Length: 0\r\n\r\n");
        answers.put("bad-status", "HTTP/1.1 " + secret + "\r\n\r\n");
        answers.put("bad-line", secret + "\r\n\r\n");
        answers.put("bad-field", "HTTP/1.1 200 OK\r\n" + secret + ": x\r\n\r\n");
        answers.put("bad-length", "HTTP/1.1 200 OK\r\nContent-Length: " + secret + "\r\n\r\n");
        answers.put("bad-coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + secret + "\r\n\r\n");
        answers.put("coded", "HTTP/1.1 200 OK\r\nContent-Encoding: " + secret + "\r\nContent-Length: 0\r\n\r\n");
        answers.put("bad-chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + secret + "\r\n");
        answers.put(
                "interim",
                "HTTP/1.1 103 Hints\r\nLink: " + secret + "\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        answers.forEach((name, wire) -> {
            origin.answer((request, out) -> {
                out.write(wire.getBytes(ISO_8859_1));
                out.flush();
                throw new IOException("ends here");
            });
            inTunnel(host, task, "GET /v1/" + name);
        });
    }

    /** What clients do by mistake, or to have it written down. */
    private void misuse(String task) {
        bare("GET http://task:" + task + "@free.up.test/ HTTP/1.1\r\nHost: free.up.test\r\n\r\n");
        bare("GET /gateway/work:bearer/v1/x?access_token=" + task + " HTTP/1.1\r\nHost: h\r\n\r\n");
        bare("GET /gateway/work:bearer/" + task + " HTTP/1.1\r\nHost: h\r\n\r\n");
        bare("GET /gateway/work:bearer/v1/x HTTP/1.1\r\nHost: h\r\nx-api-key: " + task + "\r\n\r\n");
        bare("GET /gateway/work:bearer/v1/x HTTP/1.1\r\nHost: h\r\nx-api-key: " + task
                + "\r\nAuthorization: Bearer x\r\n\r\n");
        bare("GET /gateway/work:" + task + "/v1/x HTTP/1.1\r\nHost: h\r\nx-api-key: " + task + "\r\n\r\n");
        bare("CONNECT " + task + ":443 HTTP/1.1\r\nHost: h\r\n\r\n");
        bare("CONNECT api.up.test:443 HTTP/1.1\r\nHost: h\r\nProxy-Authorization: Basic " + task + "\r\n\r\n");
        bare("CONNECT api.up.test:443 HTTP/1.1\r\nHost: h\r\nBad Field " + task + ": x\r\n\r\n");
        bare(task + " / HTTP/1.1\r\n\r\n");
        inTunnel("api", task, "GET /v1/x", "Host: " + task);
        inTunnel("api", task, "GET /v1/x", "X-HTTP-Method-Override: " + OWN_KEY);
        inTunnel("api", task, "GET /v1/x", "Proxy-Authorization: " + RawClient.basic(task));
        inTunnel("api", task, "POST /v1/x", "Transfer-Encoding: " + task);
    }

    private void inTunnel(String host, String task, String line, String... fields) {
        connect(host, origin.port(), task, line, fields);
    }

    private void connect(String host, int port, String task, String line, String... fields) {
        String name = host + ".up.test";
        StringBuilder text = new StringBuilder(line + " HTTP/1.1\r\nConnection: close\r\n");
        if (Stream.of(fields).noneMatch(field -> field.startsWith("Host:"))) {
            text.append("Host: ").append(name).append(':').append(port).append("\r\n");
        }
        for (String field : fields) {
            text.append(field).append("\r\n");
        }
        try (RawClient agent = broker.tunnel(name, port, task)) {
            heard(host + ": " + line, agent.send(text.append("\r\n").toString()).rest());
        }
    }

    private void bare(String wire) {
        try (RawClient agent = RawClient.to(broker.hopPort())) {
            heard(
                    "bare: " + wire,
                    agent.send(wire.replace("HTTP/1.1\r\n", "HTTP/1.1\r\nConnection: close\r\n"))
                            .rest());
        }
    }

    private void heard(String what, String answer) {
        heard.put(heard.size() + " " + what, answer);
    }

    private void sandboxEnvironment() throws Exception {
        Path workload = Files.writeString(broker.folder().resolve("workload.jwt"), broker.workloadToken("agent-1"));
        Tools.Ran ran = Tools.run(
                broker.folder(),
                Map.of(),
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                "io.sallyport.Sallyport",
                "env",
                "--agent",
                "http://127.0.0.1:" + broker.agentPort(),
                "--hop",
                "http://127.0.0.1:" + broker.hopPort(),
                "--folder",
                broker.folder().resolve("trust").toString(),
                "--token-file",
                workload.toString(),
                "-s",
                "work:bearer",
                "-s",
                "work:basic");
        assertThat(ran.out()).as(ran.err()).contains("export HTTPS_PROXY=");
        heard("sallyport env", ran.out() + ran.err());
        Files.delete(workload);
    }

    private void operatorLooks() throws Exception {
        for (String path : List.of(
                "status",
                "policies",
                "policies/work",
                "credentials",
                "credentials/bearer",
                "credentials/header",
                "credentials/broken",
                "identities",
                "identities/ci",
                "tasks",
                "tasks/none",
                "grants",
                "locks",
                "revocations/none",
                "ledger?limit=1000",
                "ledger?kind=refused&limit=1000",
                "ledger/0",
                "ledger/1",
                "ledger?sha256=nonsense",
                "openapi.json",
                "nothing")) {
            api("GET", "/api/v1/" + path, null, "");
        }
        Matcher task = Pattern.compile("\"task\":\"([^\"]+)\"").matcher(api("GET", "/api/v1/grants", null, ""));
        while (task.find()) {
            api("GET", "/api/v1/tasks/" + task.group(1), null, "");
        }
        api("POST", "/api/v1/ledger/verify", null, "");
        policy("/v1/**");
        api("POST", "/api/v1/reload", null, "");
        for (String page : List.of("health", "health/readiness", "prometheus", "env", "heapdump", "threaddump")) {
            heard("management " + page, send("GET", broker.managementPort(), "/actuator/" + page, null, null, ""));
        }
        send("GET", broker.operatorPort(), "/api/v1/status?access_token=" + operatorToken, null, null, "");
    }

    private void console() throws Exception {
        String door = send("GET", broker.operatorPort(), "/console/sign-in", null, null, "");
        Matcher csrf = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"").matcher(door);
        assertThat(csrf.find()).as(door).isTrue();
        String form = "_csrf=" + encoded(csrf.group(1)) + "&token=";
        send("POST", broker.operatorPort(), "/console/sign-in", null, FORM, form + "wrong-" + encoded(LOCAL));
        String in = send("POST", broker.operatorPort(), "/console/sign-in", null, FORM, form + encoded(operatorToken));
        assertThat(in).contains("location").doesNotContain("?wrong");
        for (String page : List.of(
                "",
                "/running",
                "/ledger",
                "/ledger?kind=refused",
                "/ledger/1",
                "/revoke",
                "/locks",
                "/rules",
                "/rules/policies/work",
                "/rules/credentials/bearer",
                "/rules/credentials/header",
                "/nothing")) {
            heard("console " + page, send("GET", broker.operatorPort(), "/console" + page, null, null, ""));
        }
        assertThat(heard.get(heard.keySet().stream()
                        .filter(what -> what.endsWith(" console /rules"))
                        .findFirst()
                        .orElseThrow()))
                .as("signed in")
                .startsWith("200");
    }

    private void everythingStops() throws Exception {
        String first = task("that its workload revokes", "work:bearer");
        agentDoor(
                "POST",
                "/oauth2/revoke",
                "token=" + first + "&client_assertion_type="
                        + encoded("urn:ietf:params:oauth:client-assertion-type:jwt-bearer") + "&client_assertion="
                        + broker.workloadToken("agent-1"));
        agentDoor("POST", "/oauth2/introspect", "token=" + first);
        bare("CONNECT api.up.test:443 HTTP/1.1\r\nHost: h\r\nProxy-Authorization: " + RawClient.basic(first)
                + "\r\n\r\n");
        task("that an operator revokes", "work:bearer");
        api(
                "POST",
                "/api/v1/revocations",
                "application/json",
                "{\"select\":{\"credential\":\"bearer\"},\"reason\":\"rehearsal\"}");
        exchange("while locked", broker.workloadToken("agent-1"), "work:bearer");
    }

    private static final String FORM = "application/x-www-form-urlencoded";

    private void agentDoor(String method, String path, String form) throws Exception {
        heard("agent door " + method + " " + path, send(method, broker.agentPort(), path, null, FORM, form));
    }

    private String api(String method, String path, String type, String body) throws Exception {
        String answer = send(method, broker.operatorPort(), path, "Bearer " + operatorToken, type, body);
        heard("operator API " + method + " " + path, answer);
        return answer;
    }

    private String send(String method, int port, String path, String authorization, String type, String body)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body, ISO_8859_1));
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        if (type != null) {
            request.header("Content-Type", type);
        }
        HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString(ISO_8859_1));
        return answer.statusCode() + " " + answer.headers().map() + "\n" + answer.body();
    }

    /** A search that finds nothing proves nothing unless it could have found: the origin did get each secret, and the log is at debug. */
    @Test
    void the_flows_did_run_and_the_search_does_find() {
        assertThat(origin.received())
                .anyMatch(seen -> seen.head().contains("Bearer " + FILE))
                .anyMatch(seen -> secrets.get(1).in(seen.head()).isPresent())
                .anyMatch(seen -> seen.field("X-Key").contains("token " + LOCAL))
                .noneMatch(seen -> seen.head().contains(BROKEN));
        assertThat(impostor.received()).isEmpty();
        assertThat(broker.log()).contains("DEBUG");
        assertThat(heard).hasSizeGreaterThan(150);
        for (Needle secret : secrets) {
            assertThat(secret.forms().values())
                    .allMatch(form -> secret.in("x" + form + "y").isPresent());
        }
        assertThat(heard.values())
                .anyMatch(answer -> answer.contains("upstream_tls"))
                .anyMatch(answer -> answer.contains("****"));
    }

    @Test
    void no_answer_to_an_agent_or_an_operator_holds_a_secret() {
        heard.forEach(this::holdsNone);
    }

    @Test
    void neither_log_nor_data_nor_temporary_files_hold_a_secret() throws IOException {
        leftBehind().forEach(this::holdsNone);
    }

    @Test
    void neither_log_nor_data_hold_a_token_that_was_presented() throws IOException {
        leftBehind().forEach((file, content) -> {
            if (!file.endsWith("operator-token")) {
                tokens.forEach((name, token) -> assertThat(content.contains(token))
                        .as(name + " in " + file)
                        .isFalse());
                assertThat(content.contains(OWN_KEY))
                        .as("the agent's own key in " + file)
                        .isFalse();
                assertThat(content.contains(REFERER))
                        .as("the token of a Referer in " + file)
                        .isFalse();
            }
        });
    }

    @Test
    void the_process_shows_no_secret_to_who_can_look_at_it() throws Exception {
        String process = "/proc/" + broker.pid();
        holdsNone("command line", Files.readString(Path.of(process + "/cmdline"), ISO_8859_1));
        // The variable of an env source is in the environment by its nature; nothing else may be.
        String environment = Files.readString(Path.of(process + "/environ"), ISO_8859_1);
        assertThat(environment).contains(VARIABLE + "=" + ENVIRONMENT + "\0");
        holdsNone("environment", environment.replace(VARIABLE + "=" + ENVIRONMENT + "\0", ""));
        Tools.Ran threads = Tools.run(
                broker.folder(),
                Map.of(),
                System.getProperty("java.home") + "/bin/jcmd",
                Long.toString(broker.pid()),
                "Thread.print",
                "-l");
        assertThat(threads.out()).as(threads.err()).contains("hop-");
        holdsNone("thread dump", threads.out());
    }

    /** The log, every file of the database and its write-ahead log, and what was written beside them; not the sources themselves. */
    private Map<String, String> leftBehind() throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        List<Path> roots = new ArrayList<>(List.of(
                broker.folder().resolve("broker.log"),
                broker.folder().resolve("data"),
                broker.folder().resolve("rules"),
                broker.folder().resolve("trust"),
                broker.folder().resolve("tmp")));
        for (Path root : roots) {
            try (Stream<Path> found = Files.walk(root)) {
                for (Path file : found.filter(Files::isRegularFile).toList()) {
                    files.put(file.toString(), Files.readString(file, ISO_8859_1));
                }
            }
        }
        assertThat(files.keySet())
                .anyMatch(name -> name.endsWith("broker.log"))
                .anyMatch(name -> name.endsWith("-wal"));
        return files;
    }

    private void holdsNone(String where, String content) {
        for (Needle secret : secrets) {
            assertThat(secret.in(content)).as(where).isEmpty();
        }
    }
}
