package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Door;
import io.sallyport.testing.DoorCase;
import io.sallyport.testing.EveryHttp1Door;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** What is asked for and not had, at every door: the answer can be read, the connection goes on, and the origin hears nothing. */
class EveryRefusalTest extends DoorCase {

    /** RW-23: bodies that ask a GraphQL service for a reading, and for more than that. */
    private static final List<String> OPERATIONS = List.of(
            "{\"query\":\"query{viewer{login}}\"}",
            "{\"query\":\"mutation{x}\"}",
            "[{\"query\":\"query{a}\"},{\"query\":\"mutation{b}\"}]",
            "{\"query\":\"#c\\n  mutation M{x}\"}",
            "{\"query\":\"query A{a} mutation B{b}\",\"operationName\":\"B\"}");

    /** Those of HTTP/1 at which a token is shown. */
    private static final List<Door> SHOWN = List.of(Door.values()).stream()
            .filter(door -> !door.http2() && !door.led())
            .toList();

    /** RW-14. */
    @EveryHttp1Door
    void a_no_to_path_or_method_is_an_answer_and_the_connection_goes_on(Door door) {
        String token = door.token(hop, "read", "write");
        try (RawClient agent = door.open(hop, token)) {
            assertThat(get(agent, door, token, "GET /v1/ok").status()).isEqualTo(200);
            RawClient.Answer path = get(agent, door, token, "GET /other");
            readable(path);
            assertThat(path.text()).contains("path_not_allowed", "Judged was GET /other. ");
            RawClient.Answer method = get(agent, door, token, "DELETE /v1/ok");
            readable(method);
            assertThat(method.text()).contains("method_not_allowed", "Judged was DELETE /v1/ok. ");
            assertThat(get(agent, door, token, "GET /v1/again").status()).isEqualTo(200);
        }
        assertThat(door.origin(hop).received())
                .extracting(TestOrigin.Received::requestLine)
                .containsExactly("GET /v1/ok HTTP/1.1", "GET /v1/again HTTP/1.1");
    }

    private RawClient.Answer get(RawClient agent, Door door, String token, String line, String... fields) {
        return agent.send(door.head(hop, token, line, fields)).read();
    }

    private static void readable(RawClient.Answer answer) {
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.text()).contains("\"error\":", "\"reason\":").doesNotContain("\"ledger\":null");
        assertThat(answer.field("Proxy-Status").getFirst()).startsWith("sallyport; error=");
        assertThat(answer.field("Connection")).doesNotContain("close");
    }

    /** RW-21: not even where a line says any method. */
    @EveryHttp1Door
    void trace_options_and_unknown_methods_never_carry_the_credential(Door door) {
        String token = door.token(hop);
        for (String method : List.of("TRACE", "trace", "OPTIONS", "FOO", "get")) {
            try (RawClient agent = door.open(hop, token)) {
                readable(get(agent, door, token, method + " /any/echo"));
                readable(get(agent, door, token, method + " /any/echo", "Max-Forwards: 0"));
            }
        }
        assertThat(door.origin(hop).received()).isEmpty();
        try (RawClient agent = door.open(hop, token)) {
            assertThat(get(agent, door, token, "DELETE /any/echo").status()).isEqualTo(200);
        }
    }

    /** RW-23: one path and one method are every operation at once, so that who may only read may not POST there, whatever it asks. */
    @EveryHttp1Door
    void a_scope_that_reads_takes_no_graphql(Door door) throws IOException {
        String token = door.token(hop, "read");
        for (String operation : OPERATIONS) {
            byte[] plain = operation.getBytes(UTF_8);
            byte[] packed = packed(plain);
            asked(door, token, plain, "Content-Length: " + plain.length);
            asked(door, token, EveryFramingTest.chunked(plain), "Transfer-Encoding: chunked");
            asked(door, token, packed, "Content-Encoding: gzip", "Content-Length: " + packed.length);
            asked(
                    door,
                    token,
                    EveryFramingTest.chunked(packed),
                    "Content-Encoding: gzip",
                    "Transfer-Encoding: chunked");
        }
        assertThat(door.origin(hop).received()).isEmpty();
    }

    private void asked(Door door, String token, byte[] content, String... framing) {
        try (RawClient agent = door.open(hop, token)) {
            String head = door.head(hop, token, "POST /v1/graphql", framing);
            // By the gateway a request says its scope, and this one may say the one it has.
            agent.send(head.replace("-write/", "-read/")).send(content);
            RawClient.Answer answer = agent.read();
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.text()).contains("scope_not_granted", "-write\"").doesNotContain("\"ledger\":null");
        }
    }

    private static byte[] packed(byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(content);
        }
        return out.toByteArray();
    }

    /** RW-11, RW-12: no token, none that can be read, one of nobody and one of yesterday; then the same connection gets in. */
    @Test
    void who_shows_no_live_token_is_challenged_and_can_try_again_on_the_same_connection() {
        try (TestHop other = startHop()) {
            List<String> old = SHOWN.stream().map(door -> door.token(other)).toList();
            other.clock().pass(Duration.ofMinutes(16));
            for (Door door : SHOWN) {
                try (RawClient agent = other.connect()) {
                    for (String shown :
                            List.of("", "Basic !!!", "Bearer x", RawClient.basic(old.get(door.ordinal())))) {
                        challenged(agent.send(asking(door, other, shown)).read(), door);
                    }
                    agent.send(asking(door, other, RawClient.basic(door.token(other))));
                    assertThat(agent.head()).as(door.toString()).startsWith("HTTP/1.1 200");
                }
            }
        }
    }

    private static void challenged(RawClient.Answer answer, Door door) {
        boolean gateway = door.name().endsWith("GATEWAY");
        assertThat(answer.status()).as(door.toString()).isEqualTo(gateway ? 401 : 407);
        assertThat(answer.field(gateway ? "WWW-Authenticate" : "Proxy-Authenticate"))
                .contains("Basic realm=\"sallyport\"");
        assertThat(answer.text()).contains("grant_required\"");
        assertThat(answer.field("Content-Length")).isNotEmpty();
    }

    /** The first request at a door. @param shown credentials of the hop, empty for none */
    private static String asking(Door door, TestHop at, String shown) {
        String authority = door.authority(at);
        boolean gateway = door.name().endsWith("GATEWAY");
        String line = switch (door) {
            case TUNNEL, PLAIN_TUNNEL -> "CONNECT " + authority;
            case ABSOLUTE -> "GET https://" + authority + "/v1/x";
            case PLAIN_ABSOLUTE -> "GET http://" + authority + "/v1/x";
            case GATEWAY -> "GET /gateway/fixer:api-read/v1/x";
            case PLAIN_GATEWAY -> "GET /gateway/fixer:clear-read/v1/x";
            default -> throw new IllegalStateException(door + " speaks HTTP/2, or is shown no token");
        };
        String field = gateway ? "Authorization: " : "Proxy-Authorization: ";
        return shown.isEmpty() ? text(line, "x.test") : text(line, "x.test", field + shown);
    }

    /** RW-13: neither the hop's own fields nor what a client repeats of them. */
    @EveryHttp1Door
    void fields_meant_for_the_hop_stay_there(Door door) {
        String token = door.token(hop);
        try (RawClient agent = door.open(hop, token)) {
            RawClient.Answer answer =
                    get(agent, door, token, "GET /v1/repeated", "Proxy-Connection: keep-alive", shows(token));
            assertThat(answer.status()).isIn(200, 400);
        }
        try (RawClient agent = door.open(hop, token)) {
            assertThat(get(agent, door, token, "GET /v1/x", "Proxy-Connection: keep-alive")
                            .status())
                    .isEqualTo(200);
        }
        assertThat(door.origin(hop).received())
                .isNotEmpty()
                .allSatisfy(seen -> assertThat(seen.head())
                        .doesNotContainIgnoringCase("\nproxy-")
                        .doesNotContain(token));
        assertThat(hop.entries("used")).noneMatch(entry -> entry.contains(token));
    }

    /** PX-04: its own Authorization, once and twice, is replaced and noted, or there is doubt about which counts; never both leave. */
    @EveryHttp1Door
    void an_authorization_of_the_agents_own_never_leaves(Door door) {
        String token = door.token(hop);
        String path = "/v1/own/" + door.name();
        for (String[] own : new String[][] {
            {"Authorization: Bearer mine"}, {"Authorization: Bearer mine", "authorization: Basic bWluZQ=="}
        }) {
            try (RawClient agent = door.open(hop, token)) {
                int status = get(agent, door, token, "GET " + path, own).status();
                assertThat(status).isEqualTo(door.name().endsWith("GATEWAY") ? 400 : 200);
            }
        }
        assertThat(door.origin(hop).received()).allSatisfy(seen -> {
            assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
            assertThat(seen.head()).doesNotContain("mine", "bWluZQ==");
        });
        assertThat(hop.entries("used"))
                .filteredOn(entry -> entry.contains(path))
                .allMatch(entry -> entry.contains("\"removed\":[\"authorization\"]"));
    }

    /** RW-63: an answer that holds one forbidden address is refused whole, to all who ask at once. */
    @EveryHttp1Door
    void twenty_at_once_are_refused_an_address_that_no_document_names(Door door) throws Exception {
        String host = door.authority(hop).replaceFirst(":.*", "");
        String token = door.token(hop);
        hop.names().answer(host, "127.0.0.1", "10.0.0.9");
        try (var threads = java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor()) {
            var asked = new java.util.ArrayList<java.util.concurrent.Future<RawClient.Answer>>();
            for (int i = 0; i < 20; i++) {
                asked.add(threads.submit(() -> {
                    try (RawClient agent = door.open(hop, token)) {
                        return get(agent, door, token, "GET /v1/x");
                    }
                }));
            }
            for (var one : asked) {
                assertThat(one.get().status()).isEqualTo(403);
                assertThat(one.get().text()).contains("address_forbidden");
            }
        } finally {
            hop.names().answer(host, "127.0.0.1");
        }
        assertThat(door.origin(hop).received()).isEmpty();
    }
}
