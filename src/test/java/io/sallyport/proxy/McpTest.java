package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.Grant;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The Model Context Protocol over streamable HTTP: three methods on one path, and a session's name in a field (RW-59). */
class McpTest extends HopCase {

    private static final String POLICY = TestHop.POLICY + """
              mcp:
                reason: Talks to the tools
                destination: {url: "https://api.up.test:${tls}", addresses: [127.0.0.0/8]}
                allow: ["GET,POST,DELETE /mcp"]
                credential: up
              looks:
                reason: Only listens
                destination: {url: "https://api.up.test:${tls}", addresses: [127.0.0.0/8]}
                allow: ["GET /listen"]
                credential: up
            """;

    private static final String EVENT = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n";

    private final CompletableFuture<Boolean> left = new CompletableFuture<>();

    @Override
    protected TestHop startHop() {
        return TestHop.start(settings -> settings, POLICY);
    }

    @Test
    void three_methods_of_one_session_pass_in_a_tunnel() {
        hop.origin().converse(this::server);
        session(
                List.of(
                        hop.tunnel("api.up.test", hop.token("mcp")),
                        hop.tunnel("api.up.test", hop.token("mcp")),
                        hop.tunnel("api.up.test", hop.token("mcp")),
                        hop.tunnel("api.up.test", hop.token("mcp"))),
                "/mcp",
                hop.host("api.up.test"));
    }

    @Test
    void three_methods_of_one_session_pass_by_the_gateway() {
        hop.origin().converse(this::server);
        session(
                List.of(hop.connect(), hop.connect(), hop.connect(), hop.connect()),
                "/gateway/fixer:mcp/mcp",
                "hop",
                "Authorization: Bearer " + hop.token("mcp"));
    }

    @Test
    void three_methods_of_one_session_pass_where_nobody_knows_of_the_hop() {
        hop.origin().converse(this::server);
        Grant grant = hop.ledGrant("mcp");
        session(
                List.of(
                        hop.led(grant, "api.up.test"),
                        hop.led(grant, "api.up.test"),
                        hop.led(grant, "api.up.test"),
                        hop.led(grant, "api.up.test")),
                "/mcp",
                hop.host("api.up.test"));
    }

    @Test
    void each_method_is_judged_by_itself() {
        hop.origin().answer(TestOrigin.ok("listening"));
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("looks"))) {
            assertThat(agent.send(request("GET /listen")).read().status()).isEqualTo(200);
            RawClient.Answer refused =
                    agent.send(request("DELETE /listen", "Mcp-Session-Id: s")).read();
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.text()).contains("method_not_allowed");
        }
    }

    private void session(List<RawClient> connections, String path, String host, String... fields) {
        hop.origin().received().clear();
        try (RawClient begin = connections.get(0);
                RawClient listen = connections.get(1);
                RawClient call = connections.get(2);
                RawClient end = connections.get(3)) {
            RawClient.Answer initialized = begin.send(post(path, host, "{\"method\":\"initialize\"}", fields))
                    .read();
            assertThat(initialized.field("Mcp-Session-Id")).containsExactly("session-1");
            String[] within = with(fields, "Mcp-Session-Id: session-1");
            listen.send(text("GET " + path, host, with(within, "Accept: text/event-stream")));
            assertThat(listen.head()).contains("text/event-stream");
            assertThat(listen.take()).contains("data:");
            RawClient.Answer called = call.send(post(path, host, "{\"method\":\"tools/call\"}", within))
                    .read();
            assertThat(called.text()).isEqualTo(EVENT);
            listen.close();
            assertThat(left).succeedsWithin(1, TimeUnit.SECONDS);
            assertThat(end.send(text("DELETE " + path, host, within)).read().status())
                    .isEqualTo(204);
        }
        assertThat(hop.origin().received())
                .extracting(TestOrigin.Received::requestLine)
                .containsExactly(
                        "POST /mcp HTTP/1.1", "GET /mcp HTTP/1.1", "POST /mcp HTTP/1.1", "DELETE /mcp HTTP/1.1");
        assertThat(hop.origin().received())
                .allSatisfy(request ->
                        assertThat(request.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET))
                .filteredOn(request -> !request.text().contains("initialize"))
                .allSatisfy(
                        request -> assertThat(request.field("Mcp-Session-Id")).containsExactly("session-1"));
        Awaitility.await().until(() -> hop.flows().running() == 0);
        List<String> outcomes = hop.entries("outcome");
        assertThat(outcomes.subList(outcomes.size() - 4, outcomes.size()))
                .extracting(entry -> entry.replaceFirst(".*\"outcome\":\"([^\"]*)\".*", "$1"))
                .containsExactlyInAnyOrder("answered", "answered", "answered", "agent-left");
    }

    private void server(TestOrigin.Received request, InputStream in, OutputStream out) throws IOException {
        if (request.text().contains("initialize")) {
            TestOrigin.status(200, "{}", "Mcp-Session-Id: session-1").to(request, out);
        } else if (request.requestLine().startsWith("DELETE")) {
            TestOrigin.raw("HTTP/1.1 204 No Content\r\n\r\n").to(request, out);
        } else {
            String chunk = Integer.toHexString(EVENT.length()) + "\r\n" + EVENT + "\r\n";
            boolean listening = request.requestLine().startsWith("GET");
            TestOrigin.raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + chunk + (listening ? "" : "0\r\n\r\n"))
                    .to(request, out);
            out.flush();
            if (listening) {
                try {
                    in.readAllBytes();
                } catch (IOException reset) {
                    // An end all the same.
                }
                left.complete(true);
            }
        }
    }

    private static String post(String path, String host, String content, String... fields) {
        return text(
                        "POST " + path,
                        host,
                        with(
                                fields,
                                "Content-Type: application/json",
                                "Accept: application/json, text/event-stream",
                                "Content-Length: " + content.getBytes(ISO_8859_1).length))
                + content;
    }

    private static String[] with(String[] fields, String... more) {
        String[] all = java.util.Arrays.copyOf(fields, fields.length + more.length);
        System.arraycopy(more, 0, all, fields.length, more.length);
        return all;
    }
}
