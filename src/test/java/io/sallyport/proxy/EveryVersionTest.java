package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.testing.Ask;
import io.sallyport.testing.Caller;
import io.sallyport.testing.Door;
import io.sallyport.testing.DoorCase;
import io.sallyport.testing.EveryDoor;
import io.sallyport.testing.Reply;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;

/** What a request means, and what becomes of it, is the same in both versions, at every door. What counts is what the origin received. */
class EveryVersionTest extends DoorCase {

    private static final String SMUGGLED = "GET /v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    private Reply ask(Door door, String token, Ask ask) {
        try (Caller agent = door.call(hop, token)) {
            return agent.ask(ask);
        }
    }

    private List<TestOrigin.Received> received(Door door) {
        return door.origin(hop).received();
    }

    /** Whatever else it names: the one origin that was judged, or nobody. */
    @EveryDoor
    void hosts_that_disagree_lead_nowhere_else(Door door) {
        String token = door.token(hop);
        for (String other : List.of("other.up.test", "other.up.test:443", door.authority(hop) + "0", "a b", "")) {
            received(door).clear();
            Reply reply = ask(door, token, Ask.of("GET /v1/x", "Host: " + other));
            if (door.http2()) {
                // RFC 9113 section 8.3.1: malformed.
                assertThat(reply.status()).as(other).isEqualTo(400);
            } else if (door.tunnels()) {
                assertThat(reply.status()).as(other).isIn(400, 421);
            }
            if (reply.status() == 200) {
                // RFC 9112 section 3.2.2: what the target says counts, and nothing else is passed on.
                assertThat(received(door))
                        .singleElement()
                        .satisfies(seen -> assertThat(seen.field("Host")).containsExactly(door.authority(hop)));
            } else {
                assertThat(received(door)).as(other).isEmpty();
                assertThat(hop.entries("refused")).last().asString().containsAnyOf("malformed", "misdirected");
            }
        }
    }

    @EveryDoor
    void one_target_in_every_spelling_arrives_in_its_canonical_one(Door door) {
        Map<String, String> spellings = new LinkedHashMap<>();
        spellings.put("/v%31/x", "/v1/x");
        spellings.put("/v1/%7ex%2Dy", "/v1/~x-y");
        spellings.put("/v1/a%c3%a9b", "/v1/a%C3%A9b");
        spellings.put("/v1/a+b;c=d@e:f", "/v1/a+b;c=d@e:f");
        spellings.put("/v1/x?a=%2f&b=%41", "/v1/x?a=%2F&b=A");
        spellings.put("/v1/", "/v1/");
        try (Caller agent = door.call(hop, door.token(hop))) {
            spellings.forEach((asked, sent) -> {
                received(door).clear();
                assertThat(agent.ask(Ask.of("GET " + asked)).status()).as(asked).isEqualTo(200);
                assertThat(received(door))
                        .extracting(TestOrigin.Received::requestLine)
                        .containsExactly("GET " + sent + " HTTP/1.1");
                assertThat(Entries.of(hop, sent).used().path("origin").asString())
                        .endsWith(door.authority(hop));
            });
        }
    }

    @EveryDoor
    void a_target_that_somebody_reads_otherwise_is_refused(Door door) {
        String token = door.token(hop);
        for (String target : List.of(
                "/v1/../secret",
                "/v1/%2e%2e/secret",
                "/v1/%2E./secret",
                "/v1//../secret",
                "/v1/..;/secret",
                "/v1/./x",
                "/v1/%252e%252e/secret",
                "/v1/..%2fsecret",
                "/v1/..\\secret",
                "/v1/a%2Fb",
                "/v1//x",
                "/v1/%00",
                "/v1/%zz",
                "/v1/x#y",
                "/V1/x",
                "/v1",
                "/v2/x")) {
            assertThat(ask(door, token, Ask.of("GET " + target)).status())
                    .as(target)
                    .isIn(400, 403);
        }
        assertThat(received(door)).isEmpty();
    }

    @EveryDoor
    void a_refusal_is_an_answer_with_a_name_a_hint_and_an_entry(Door door) {
        String token = door.token(hop);
        Reply reply = ask(door, token, Ask.of("GET /v2/x"));
        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.field("Content-Type")).containsExactly("application/json");
        assertThat(reply.field("Content-Length")).containsExactly(Integer.toString(reply.content().length));
        assertThat(reply.field("Proxy-Status")).singleElement().asString().contains("details=\"");
        assertThat(reply.text())
                .matches(
                        "(?s)\\{\"error\":\"[a-z_]+\",\"reason\":\".+\",\"scope\":.+,\"hint\":\".+\",\"ledger\":\"\\d+\"}\n");
        Reply bare = ask(door, token, Ask.of("HEAD /v2/x"));
        assertThat(bare.status()).isEqualTo(403);
        assertThat(bare.content()).isEmpty();
        assertThat(received(door)).isEmpty();
    }

    /** A method, path or origin that is sent beside the one that was judged (RW-18's kin). */
    @EveryDoor
    void a_field_that_overrides_what_was_judged_is_refused(Door door) {
        String token = door.token(hop);
        for (String field : List.of("X-HTTP-Method-Override: DELETE", "X-Original-URL: /admin", "X-Rewrite-URL: /a")) {
            Reply reply = ask(door, token, Ask.of("GET /v1/x", field));
            assertThat(reply.status()).as(field).isEqualTo(403);
            assertThat(reply.text()).contains("method_override");
        }
        assertThat(received(door)).isEmpty();
    }

    /** RW-24. */
    @EveryDoor
    void whatever_the_agent_brings_in_a_credential_slot_is_taken_off_and_noted(Door door) {
        String token = door.token(hop);
        String path = "/v1/own/" + door.name();
        Ask asked = Ask.of(
                "GET " + path + "?key=mine&q=1&api_key=mine&access_token=mine",
                "api-key: mine",
                "x-goog-api-key: mine",
                "Cookie: s=mine",
                "Cookie: t=mine",
                "Accept: text/plain");
        Reply reply = ask(door, token, asked);
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        TestOrigin.Received seen = received(door).getFirst();
        assertThat(seen.head()).doesNotContain("mine").doesNotContain(token);
        assertThat(seen.requestLine()).isEqualTo("GET " + path + "?q=1 HTTP/1.1");
        assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
        assertThat(seen.field("Accept")).containsExactly("text/plain");
        assertThat(hop.entries("used"))
                .anyMatch(entry -> entry.contains(path) && entry.contains("api-key") && entry.contains("cookie"))
                .noneMatch(entry -> entry.contains("mine"));
    }

    /** RW-32: those that a message of either version may have; the others are malformed in HTTP/2. */
    @EveryDoor
    void fields_of_one_hop_go_no_further(Door door) {
        Reply reply = ask(
                door,
                door.token(hop),
                Ask.of(
                                "POST /v1/x",
                                "TE: trailers",
                                "Trailer: x-sum",
                                "Proxy-Authenticate: Basic",
                                "Proxy-Status: x",
                                "X-Kept: 1")
                        .content(bytes("abc")));
        assertThat(reply.status()).isEqualTo(200);
        TestOrigin.Received seen = received(door).getFirst();
        assertThat(seen.field("X-Kept")).containsExactly("1");
        assertThat(seen.text()).isEqualTo("abc");
        assertThat(seen.head())
                .doesNotContainIgnoringCase("\nte:")
                .doesNotContainIgnoringCase("trailer")
                .doesNotContainIgnoringCase("proxy-")
                .doesNotContainIgnoringCase("connection");
    }

    @EveryDoor
    void fields_of_a_connection_never_pass_as_such(Door door) {
        String token = door.token(hop);
        for (String field : List.of(
                "Connection: authorization", "Keep-Alive: timeout=5", "Proxy-Connection: keep-alive", "Upgrade: h2c")) {
            received(door).clear();
            Reply reply = ask(door, token, Ask.of("GET /v1/x", field));
            assertThat(reply.status()).as(field).isEqualTo(door.http2() ? 400 : 200);
            assertThat(received(door)).as(field).hasSize(door.http2() ? 0 : 1).allSatisfy(seen -> {
                assertThat(seen.field(field.substring(0, field.indexOf(':')))).isEmpty();
                assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
            });
        }
    }

    /** RW-40: a length and content are allowed with GET; what the content says is not a request. */
    @EveryDoor
    void content_of_a_get_is_content(Door door) {
        try (Caller agent = door.call(hop, door.token(hop))) {
            Ask first = Ask.of("GET /v1/x").content(bytes(SMUGGLED));
            assertThat(agent.ask(first).status()).isEqualTo(200);
            assertThat(agent.ask(Ask.of("GET /v1/next")).status()).isEqualTo(200);
        }
        assertThat(received(door))
                .extracting(TestOrigin.Received::requestLine)
                .containsExactly("GET /v1/x HTTP/1.1", "GET /v1/next HTTP/1.1");
        assertThat(received(door).getFirst().text()).isEqualTo(SMUGGLED);
    }

    /** RW-40: the destination takes nothing for a request that its sender did not finish, and no byte beyond what was promised. */
    @EveryDoor
    void content_that_is_not_as_long_as_its_head_says_never_arrives_as_whole(Door door) {
        String token = door.token(hop);
        for (int says : new int[] {10, 2_000_000}) {
            Ask tooShort = Ask.of("POST /v1/short").content(new byte[says - 1]).saying(says);
            if (door.http2()) {
                // Where a part of it has left, the answer may be the end of the stream.
                assertThat(ask(door, token, tooShort).status()).isIn(400, -1);
            } else {
                try (Caller agent = door.call(hop, token)) {
                    agent.leave(tooShort);
                }
            }
        }
        Awaitility.await().until(() -> hop.flows().running() == 0);
        assertThat(received(door)).isEmpty();

        Reply reply = ask(
                door,
                token,
                Ask.of("POST /v1/long").content(bytes("abc" + SMUGGLED)).saying(3));
        assertThat(reply.status()).isEqualTo(door.http2() ? 400 : 200);
        Awaitility.await().until(() -> hop.flows().running() == 0);
        assertThat(received(door)).allSatisfy(seen -> {
            assertThat(seen.text()).isEqualTo("abc");
            assertThat(seen.target()).isEqualTo("/v1/long");
        });
    }

    /** RW-26, RW-28: whatever the framing, the origin gets the credential, the bytes, and the framing as it came. */
    @EveryDoor
    void bodies_of_all_sizes_arrive_whole_in_their_own_framing_and_the_record_is_what_arrived(Door door) {
        String token = door.token(hop);
        for (int size : new int[] {0, 1, 3, 65_535, 1024 * 1024, 1024 * 1024 + 1, 3_000_000}) {
            arrivesWhole(door, token, size, false);
            arrivesWhole(door, token, size, true);
        }
    }

    private void arrivesWhole(Door door, String token, int size, boolean unsized) {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        String path = "/v1/" + door.name() + "/" + size + (unsized ? "c" : "l");
        received(door).clear();
        Ask ask = Ask.of("POST " + path);
        assertThat(ask(door, token, unsized ? ask.unsized(content) : ask.content(content))
                        .status())
                .isEqualTo(200);
        TestOrigin.Received seen = received(door).getFirst();
        assertThat(seen.content()).isEqualTo(content);
        assertThat(seen.field("Content-Length")).isEqualTo(unsized ? List.of() : List.of("" + size));
        assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
        Entries.of(hop, path).asserts(content);
    }

    /** RW-42. */
    @EveryDoor
    void a_body_above_the_limit_is_a_413_in_both_framings(Door door) {
        String token = door.token(hop);
        byte[] large = new byte[64 * 1024 + 1];
        assertThat(ask(door, token, Ask.of("POST /small").content(large)).status())
                .isEqualTo(413);
        assertThat(ask(door, token, Ask.of("POST /small").unsized(large)).status())
                .isEqualTo(413);
        assertThat(received(door)).isEmpty();
    }

    @EveryDoor
    void trailers_arrive_behind_the_content_and_what_would_change_the_head_does_not(Door door) {
        String token = door.token(hop);
        Ask ask = Ask.of("POST /v1/trailed").unsized(bytes("abc"));
        assertThat(ask(door, token, ask.trailers("X-Checksum: 17")).status()).isEqualTo(200);
        assertThat(received(door)).singleElement().satisfies(seen -> {
            assertThat(seen.text()).isEqualTo("abc");
            assertThat(seen.trailers()).singleElement().asString().isEqualToIgnoringCase("X-Checksum: 17");
        });
        received(door).clear();
        for (String bad : List.of(
                "Content-Length: 3",
                "Host: other.up.test",
                "Authorization: Bearer mine",
                "X-Api-Key: mine",
                "Cookie: a=b",
                "X-HTTP-Method-Override: DELETE",
                "If-Match: x",
                "Transfer-Encoding: chunked")) {
            assertThat(ask(door, token, ask.trailers(bad)).status()).as(bad).isIn(400, 403);
        }
        Awaitility.await().until(() -> hop.flows().running() == 0);
        assertThat(received(door)).isEmpty();
    }

    @EveryDoor
    void a_task_token_where_it_would_leave_is_refused_and_not_repeated(Door door) {
        String token = door.token(hop);
        String other = door.token(hop);
        String basic = Base64.getEncoder().encodeToString(("task:" + other).getBytes(StandardCharsets.US_ASCII));
        for (Ask ask : List.of(
                Ask.of("GET /v1/x?note=" + other),
                Ask.of("GET /v1/x", "X-Debug: http://task:" + other + "@127.0.0.1:3128"),
                Ask.of("GET /v1/x", "X-Forwarded-Auth: Basic " + basic),
                Ask.of("POST /v1/x").content(bytes("{\"log\":\"" + other + "\"}")),
                Ask.of("POST /v1/x").unsized(bytes("x".repeat(70_000) + basic)))) {
            Reply reply = ask(door, token, ask);
            assertThat(reply.status()).as(reply.toString()).isEqualTo(403);
            assertThat(reply.text()).contains("task_token_in_request").doesNotContain("eyJ", "\"ledger\":null");
            assertThat(hop.entries("refused"))
                    .last()
                    .asString()
                    .contains("task_token_in_request")
                    .doesNotContain(other.substring(other.indexOf('.')));
        }
        assertThat(received(door)).isEmpty();
    }

    /** RW-66. */
    @EveryDoor
    void a_secret_that_the_origin_echoes_is_masked_wherever_it_stands(Door door) {
        String secret = TestHop.SECRET;
        door.origin(hop)
                .answer(TestOrigin.raw("HTTP/1.1 401 No " + secret + "\r\nX-Echo: " + secret
                        + "\r\nWWW-Authenticate: Bearer " + secret + "\r\nSet-Cookie: s=1\r\nAlt-Svc: h3=\":443\""
                        + "\r\nTransfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(secret.length() + 2)
                        + "\r\n<" + secret + ">\r\n0\r\nX-Trailer: " + secret + "\r\n\r\n"));
        Reply reply = ask(door, door.token(hop), Ask.of("GET /v1/echoed"));
        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.toString() + reply.trailers())
                .doesNotContain("sk-live", "set-cookie", "alt-svc")
                .contains("x-trailer");
        assertThat(reply.text()).hasSize(secret.length() + 2).startsWith("<").endsWith(">");
    }

    /** RW-53: pooled connections serve one task after the other, and each request carries what is its own. */
    @EveryDoor
    void requests_of_two_tasks_interleaved_never_carry_each_others(Door door) {
        door.origin(hop).answer(TestOrigin.echo());
        try (Caller one = door.call(hop, door.token(hop));
                Caller two = door.call(hop, door.token(hop))) {
            for (int i = 0; i < 30; i++) {
                assertThat(one.ask(Ask.of("GET /v1/one/" + i, "x-task: one")).text())
                        .contains("/v1/one/" + i, "x-task: one")
                        .doesNotContain("two");
                assertThat(two.ask(Ask.of("GET /v1/two/" + i, "x-task: two")).text())
                        .contains("/v1/two/" + i, "x-task: two")
                        .doesNotContain("one");
            }
        }
    }

    private static int statusOrEnd(Caller agent) {
        try {
            return agent.ask(Ask.of("GET /v1/y")).status();
        } catch (UncheckedIOException ended) {
            return -1;
        }
    }

    @EveryDoor
    void a_grant_that_has_ended_lets_nothing_more_out(Door door) {
        Grant grant = door.grant(hop, "read");
        try (Caller agent = door.call(hop, hop.token(grant))) {
            assertThat(agent.ask(Ask.of("GET /v1/x")).status()).isEqualTo(200);
            hop.room(Grants.class).endInMemory(List.of(grant), EndReason.REVOKED);
            if (door.tunnels()) {
                // The tunnel ends with its grant: the request meets its end, or a refusal before it.
                assertThat(statusOrEnd(agent)).isIn(403, -1);
            } else {
                assertThat(statusOrEnd(agent)).isEqualTo(door.gateway() ? 401 : 407);
            }
        }
        assertThat(received(door)).extracting(TestOrigin.Received::target).containsExactly("/v1/x");
    }
}
