package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Ask;
import io.sallyport.testing.Caller;
import io.sallyport.testing.Door;
import io.sallyport.testing.EveryDoor;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.RawHttp2Client;
import io.sallyport.testing.Reply;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An agent that brings a key of its own to a destination that it is allowed to reach: its data would go to whoever's key that is. */
class OwnCredentialTest extends HopCase {

    /** RW-33: a credential on one path, the agent's own on another, nothing on the rest. */
    private static final String NARROW = """
          work:
            reason: The client's session token comes from the same API
            destination: {url: "https://api.up.test:${tls}", addresses: [127.0.0.0/8]}
            allow: ["GET /worker/**"]
            credential: {own: [authorization, x-session-token], reason: session of the worker}
          off:
            reason: The same without
            destination: {url: "https://api.up.test:${tls}", addresses: [127.0.0.0/8]}
            allow: ["GET /off/**"]
            credential: none
          kept:
            reason: A field that is no credential
            destination: {url: "https://api.up.test:${tls}", addresses: [127.0.0.0/8]}
            allow: ["POST /kept"]
            keep: [key]
            credential: up
        """;

    @Override
    protected TestHop startHop() {
        return TestHop.start(settings -> settings, Door.POLICY + NARROW);
    }

    private static Reply ask(TestHop hop, Door door, Ask ask) {
        try (Caller agent = door.call(hop, door.token(hop))) {
            return agent.ask(ask);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    /** RW-24: with the bearer rule, in the body. */
    @EveryDoor
    void a_key_of_the_agents_own_in_content_is_refused_in_either_framing(Door door) {
        List<String[]> smuggled = List.of(
                new String[] {"application/x-www-form-urlencoded", "text=hello&token=mine"},
                new String[] {"application/x-www-form-urlencoded", "text=hello&to%6Ben=mine"},
                new String[] {
                    "multipart/form-data; boundary=B",
                    "--B\r\nContent-Disposition: form-data; name=token\r\n\r\nmine\r\n--B--\r\n"
                },
                new String[] {"application/json", "{\"q\":1,\"api_key\":\"mine\"}"},
                new String[] {"application/x-www-form-urlencoded", "{\"api_key\":\"mine\"}"});
        for (String[] content : smuggled) {
            Ask ask = Ask.of("POST /v1/x", "Content-Type: " + content[0]);
            for (Ask framed : List.of(ask.content(bytes(content[1])), ask.unsized(bytes(content[1])))) {
                Reply reply = ask(hop, door, framed);
                assertThat(reply.status()).as(content[1]).isEqualTo(403);
                assertThat(reply.text()).contains("\"own_credential\"").doesNotContain("mine");
            }
        }
        Reply coded = ask(
                hop,
                door,
                Ask.of("POST /v1/x", "Content-Type: application/x-www-form-urlencoded", "Content-Encoding: gzip")
                        .content(bytes("xxxx")));
        assertThat(coded.text()).contains("\"own_credential\"");
        assertThat(door.origin(hop).received()).isEmpty();
        assertThat(hop.entries("refused"))
                .anyMatch(entry -> entry.contains("own_credential") && entry.contains("token"))
                .noneMatch(entry -> entry.contains("mine"));
        Reply ordinary = ask(
                hop,
                door,
                Ask.of("POST /v1/x", "Content-Type: application/x-www-form-urlencoded")
                        .content(bytes("channel=C1&text=token")));
        assertThat(ordinary.status()).isEqualTo(200);
        assertThat(door.origin(hop).received().getFirst().text()).isEqualTo("channel=C1&text=token");
    }

    /** RW-24: spellings and multiplicities of names that gateways fold. */
    @EveryDoor
    void no_spelling_of_a_slot_passes_in_fields_or_query(Door door) {
        Reply reply = ask(
                hop,
                door,
                Ask.of(
                        "GET /v1/x?KEY=mine&a%70i_key=mine&api.key=mine&key[]=mine&q=1;access_token=mine&x-goog-api-key=mine",
                        "X_API_KEY: mine",
                        "x.api.key: mine",
                        "X-Vendor-Api-Key: mine",
                        "Api-Key: mine",
                        "Api-Key: mine",
                        "DPoP: mine",
                        "Signature: mine",
                        "X-Forwarded-Client-Cert: mine",
                        "Cookie: a=mine",
                        "Cookie: b=mine; c=mine"));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        TestOrigin.Received seen = door.origin(hop).received().getFirst();
        assertThat(seen.head()).doesNotContain("mine");
        assertThat(seen.requestLine()).isEqualTo("GET /v1/x?q=1 HTTP/1.1");
        assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
    }

    @EveryDoor
    void a_credential_among_the_trailers_is_refused(Door door) {
        for (String trailer : List.of("Authorization: Bearer mine", "X-Api-Key: mine", "Cookie: s=mine")) {
            Reply reply =
                    ask(hop, door, Ask.of("POST /v1/x").unsized(bytes("abc")).trailers(trailer));
            assertThat(reply.status()).as(trailer).isIn(400, 403);
        }
        assertThat(door.origin(hop).received()).isEmpty();
    }

    @Test
    void what_the_scope_keeps_is_the_destinations_affair() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("kept"))) {
            agent.send(request("POST /kept", "Content-Type: application/x-www-form-urlencoded", "Content-Length: 5")
                    + "key=1");
            assertThat(agent.read().status()).isEqualTo(200);
            agent.send(request("POST /kept", "Content-Type: application/x-www-form-urlencoded", "Content-Length: 13")
                    + "key=1&token=2");
            assertThat(agent.read().text()).contains("own_credential");
        }
        assertThat(hop.origin().received()).hasSize(1);
    }

    /** RW-33, its three parts, forward in HTTP/1.1. */
    @Test
    void a_rule_injects_where_it_says_and_nowhere_else() {
        String token = hop.token("api-read", "work", "off");
        try (RawClient agent = hop.tunnel("api.up.test", token)) {
            for (String path : List.of("/v1/x", "/worker/x", "/off/x")) {
                agent.send(request("GET " + path, "Authorization: Bearer own"));
                assertThat(agent.read().status()).isEqualTo(200);
            }
            agent.send(request("HEAD /o/r/releases/download/v1/a.zip", "Authorization: Bearer own"));
            assertThat(agent.head()).startsWith("HTTP/1.1 403");
        }
        narrow();
    }

    /** RW-33 by the gateway, where the token stands in another slot than the agent's own. */
    @Test
    void a_rule_injects_where_it_says_by_the_gateway_too() {
        String token = hop.token("api-read", "work", "off");
        try (RawClient agent = hop.connect()) {
            // Two values where a token may stand are a doubt.
            agent.send(text(
                    "GET /gateway/fixer:work/worker/x",
                    "localhost",
                    "Authorization: Bearer own",
                    "x-api-key: " + token));
            assertThat(agent.read().status()).isEqualTo(400);
        }
        assertThat(hop.origin().received()).isEmpty();
        try (RawClient agent = hop.connect()) {
            for (String[] ask : new String[][] {{"api-read", "/v1/x"}, {"work", "/worker/x"}, {"off", "/off/x"}}) {
                agent.send(text(
                        "GET /gateway/fixer:" + ask[0] + ask[1],
                        "localhost",
                        "X-Session-Token: own",
                        "x-api-key: " + token));
                assertThat(agent.read().status()).as(ask[1]).isEqualTo(200);
            }
        }
        List<TestOrigin.Received> seen = hop.origin().received();
        assertThat(seen)
                .extracting(each -> each.field("Authorization"))
                .containsExactly(List.of("Bearer " + TestHop.SECRET), List.of(), List.of());
        assertThat(seen)
                .extracting(each -> each.field("X-Session-Token"))
                .containsExactly(List.of(), List.of("own"), List.of());
    }

    /** RW-33 in HTTP/2. */
    @Test
    void a_rule_injects_where_it_says_in_http2_too() {
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("api-read", "work", "off"))) {
            for (String path : List.of("/v1/x", "/worker/x", "/off/x")) {
                int stream = agent.get(
                        ":method",
                        "GET",
                        ":scheme",
                        "https",
                        ":authority",
                        hop.host("api.up.test"),
                        ":path",
                        path,
                        "authorization",
                        "Bearer own");
                assertThat(agent.answer(stream).status()).isEqualTo(200);
            }
        }
        narrow();
    }

    private void narrow() {
        List<TestOrigin.Received> seen = hop.origin().received();
        assertThat(seen).hasSize(3);
        assertThat(seen.get(0).field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
        assertThat(seen.get(1).field("Authorization")).containsExactly("Bearer own");
        assertThat(seen.get(2).field("Authorization")).isEmpty();
        assertThat(hop.entries("used"))
                .filteredOn(entry -> entry.contains("/worker/x"))
                .allMatch(entry -> entry.contains("\"credentials\":[]"));
    }
}
