package io.sallyport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The doors of a running broker, knocked at with raw bytes: what a client library would tidy up first is the attack. */
@Tag("slow")
class DoorsTest {

    private static final List<String> AGENTS = List.of("/ca.pem", "/oauth2/jwks");
    private static final List<String> OPERATORS =
            List.of("/api/v1/status", "/api/v1/ledger", "/console", "/console/sign-in");
    private static final List<String> MANAGEMENTS = List.of("/actuator/health", "/actuator/prometheus");

    @TempDir
    static Path home;

    private static RunningBroker broker;

    @BeforeAll
    static void start() {
        broker = RunningBroker.start(home);
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void no_door_answers_for_another() throws IOException {
        for (String path : AGENTS) {
            assertClosed(broker.operatorPort(), path);
            assertClosed(broker.managementPort(), path);
        }
        for (String path : OPERATORS) {
            assertClosed(broker.agentPort(), path);
            assertClosed(broker.managementPort(), path);
        }
        for (String path : MANAGEMENTS) {
            assertClosed(broker.agentPort(), path);
            assertClosed(broker.operatorPort(), path);
        }
    }

    @Test
    void each_door_answers_for_itself() throws IOException {
        for (String path : AGENTS) {
            assertThat(status(broker.agentPort(), "GET", path)).as(path).isEqualTo(200);
        }
        for (String path : OPERATORS) {
            assertThat(status(broker.operatorPort(), "GET", path)).as(path).isNotEqualTo(404);
        }
        for (String path : MANAGEMENTS) {
            assertThat(status(broker.managementPort(), "GET", path)).as(path).isEqualTo(200);
        }
    }

    @Test
    void a_host_field_or_an_absolute_target_does_not_choose_the_door() throws IOException {
        String operator = "http://127.0.0.1:" + broker.operatorPort() + "/api/v1/status";
        assertThat(status(broker.agentPort(), "GET", operator)).isEqualTo(404);
    }

    @Test
    void no_other_endpoint_of_the_framework_is_open() throws IOException {
        for (String name : List.of(
                "env", "heapdump", "threaddump", "loggers", "beans", "shutdown", "metrics", "info", "mappings")) {
            assertClosed(broker.managementPort(), "/actuator/" + name);
        }
        for (int port : List.of(broker.agentPort(), broker.operatorPort(), broker.managementPort())) {
            assertThat(status(port, "GET", "/")).isEqualTo(404);
            for (String path :
                    List.of("/error", "/favicon.ico", "/index.html", "/webjars/htmx.org/2.0.10/dist/htmx.min.js")) {
                assertClosed(port, path);
            }
        }
    }

    @Test
    void the_operator_api_asks_for_the_token_first() throws IOException {
        assertThat(status(broker.operatorPort(), "GET", "/api/v1/status")).isEqualTo(401);
        assertThat(status(broker.operatorPort(), "GET", "/api/v1/no-such-thing"))
                .isEqualTo(401);
    }

    @Test
    void a_start_on_an_open_address_without_tls_is_refused_with_the_sentence(@TempDir Path other) {
        assertThatThrownBy(() -> RunningBroker.start(other, "--sallyport.operator.bind=0.0.0.0"))
                .hasStackTraceContaining(
                        "The operator door would listen on 0.0.0.0 (sallyport.operator.bind) without TLS");
    }

    private static void assertClosed(int port, String path) throws IOException {
        for (String spelling : spellings(path)) {
            for (String method : List.of("GET", "POST")) {
                assertThat(status(port, method, spelling))
                        .as("%s %s", method, spelling)
                        .isIn(404, 400);
            }
        }
    }

    private static List<String> spellings(String path) {
        return List.of(
                path,
                "/" + path,
                "/oauth2/.." + path,
                "/oauth2/%2e%2e" + path,
                "/console/.." + path,
                "/ca.pem/.." + path,
                "/actuator/health/.." + path,
                "/oauth2/..;" + path,
                path + ";x",
                path.substring(0, 2) + "%" + Integer.toHexString(path.charAt(2)) + path.substring(3),
                path + "/",
                path + "?x=/oauth2/token");
    }

    private static int status(int port, String method, String target) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            String head = method + " " + target
                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);
            assertThat(answer).startsWith("HTTP/1.1 ");
            return Integer.parseInt(answer.substring(9, 12));
        }
    }
}
