package io.sallyport.exchange;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sallyport.grant.Grant;
import io.sallyport.grant.TestGrants;
import io.sallyport.grant.TestTime;
import io.sallyport.identity.ClientAssertions;
import io.sallyport.identity.Identities;
import io.sallyport.identity.Identity;
import io.sallyport.identity.Isolation;
import io.sallyport.identity.KeyOrigin;
import io.sallyport.identity.Verifiers;
import io.sallyport.testing.TestIssuer;
import io.sallyport.testing.TestStore;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The agent door on a real store, with two identities, three policies and a ledger that remembers. */
final class AgentDoorFixture implements AutoCloseable {

    static final String BROKER = TestGrants.ISSUER;
    static final TestIssuer CLUSTER = TestIssuer.at("https://cluster.example", "https://broker.example");
    static final TestIssuer PEOPLE = TestIssuer.at("https://people.example", "https://broker.example");
    static final String JWT = "urn:ietf:params:oauth:token-type:jwt";
    static final String AGENT = "cluster/agent-1";

    final TestStore store = TestStore.started();
    final TestTime time = new TestTime();
    volatile Optional<String> lock = Optional.empty();
    final TestGrants grants = TestGrants.on(store, time, candidate -> lock);
    final TestLedger ledger = new TestLedger();
    final TestListeners listeners = new TestListeners();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final List<String> fetched = new ArrayList<>();
    final Identities identities = new Verifiers(
                    call -> {
                        fetched.add(call.uri().toString());
                        throw new IOException("nobody is there");
                    },
                    time,
                    time::nanos)
            .over(List.of(identity("cluster", CLUSTER), identity("people", PEOPLE), unreachable()));
    final TestBooks books = new TestBooks(identities)
            .with(TestPolicy.of(
                    "fixer",
                    Map.of(
                            "read", "https://api.example.com",
                            "pull", "https://api.example.com",
                            "chat", "https://*.chat.example.com"),
                    who -> who.person() == null
                            && who.workload().principal().identity().equals("cluster")
                            && who.workload().principal().subject().startsWith("agent-")))
            .with(TestPolicy.of(
                    "helper",
                    Map.of("mail", "https://mail.example.com"),
                    who -> who.person() != null
                            && who.person().principal().toString().equals("people/alice")
                            && who.workload().principal().toString().equals(AGENT)))
            .with(new TestPolicy(
                    "sealed",
                    TestPolicy.LISTENING,
                    TestPolicy.of("sealed", Map.of("read", "https://api.example.com"), who -> true)
                            .scopes(),
                    who -> who.workload().principal().toString().startsWith("cluster/agent-")))
            .with(TestPolicy.of("closed", Map.of("all", "https://closed.example.com"), who -> false));

    private final MockMvc mvc;

    AgentDoorFixture() {
        ExchangeSettings settings = new ExchangeSettings(BROKER);
        TokenExchange.Rooms rooms =
                new TokenExchange.Rooms(books, grants.grants(), grants.tokens(), listeners, ledger, store.writer());
        AgentDoor door = new AgentDoor(new Refusals(ledger, store.writer(), time::nanos, meters));
        mvc = MockMvcBuilders.standaloneSetup(
                        new TokenController(door, new TokenExchange(rooms, time, settings)),
                        new IntrospectionController(door, new Introspection(rooms, settings)),
                        new MetadataController(books, grants.tokens(), settings))
                .build();
    }

    private static Identity identity(String name, TestIssuer issuer) {
        return identity(name, issuer.issuer, new KeyOrigin.Fixed(issuer.jwks()));
    }

    private static Identity identity(String name, String issuer, KeyOrigin keys) {
        return new Identity(
                name,
                issuer,
                Set.of(CLUSTER.audience),
                Isolation.CONTAINER,
                Set.of("RS256"),
                Duration.ofSeconds(30),
                keys,
                null,
                List.of(),
                null);
    }

    private static Identity unreachable() {
        return identity("unreachable", "https://down.example", new KeyOrigin.Discovered());
    }

    /** A good exchange of {@code agent-1} for {@code fixer:read}, to be changed. */
    Request exchange() {
        return request("/oauth2/token")
                .with("grant_type", ExchangeRequest.GRANT_TYPE)
                .with("subject_token", agent("agent-1"))
                .with("subject_token_type", JWT)
                .with("scope", "fixer:read");
    }

    /** A good question of {@code agent-1} about a token. */
    Request introspection(String token) {
        return request("/oauth2/introspect").with("token", token).assertedBy(agent("agent-1"));
    }

    /** The same for {@code sealed:read}, whose tasks are bound to a listener. */
    Request listening() {
        return exchange().with("scope", "sealed:read");
    }

    /** A narrower part of a task, for whoever has its token. */
    Request child(String token) {
        return exchange().with("subject_token", token).with("subject_token_type", ExchangeRequest.ACCESS_TOKEN);
    }

    String agent(String subject) {
        return CLUSTER.token(subject, time.instant());
    }

    Request request(String path) {
        return new Request(path);
    }

    Answer send(MockHttpServletRequestBuilder request) {
        try {
            return new Answer(mvc.perform(request).andReturn().getResponse());
        } catch (Exception fault) {
            throw new IllegalStateException(fault);
        }
    }

    Grant grantOf(Answer answer) {
        return grants.tokens()
                .jtiOf(answer.text("access_token"))
                .flatMap(grants.grants()::byJti)
                .orElseThrow();
    }

    @Override
    public void close() {
        store.close();
    }

    /** A form that a test fills. */
    final class Request {
        private final String path;
        private final Map<String, List<String>> form = new LinkedHashMap<>();
        private final Map<String, String> headers = new LinkedHashMap<>();
        private String source = "127.0.0.1";

        private Request(String path) {
            this.path = path;
        }

        Request with(String name, String... values) {
            form.put(name, List.of(values));
            return this;
        }

        Request without(String name) {
            form.remove(name);
            return this;
        }

        Request header(String name, String value) {
            headers.put(name, value);
            return this;
        }

        Request from(String address) {
            source = address;
            return this;
        }

        Request assertedBy(String token) {
            return with("client_assertion_type", ClientAssertions.TYPE).with("client_assertion", token);
        }

        Request onBehalfOf(String person) {
            return with("actor_token", agent("agent-1"))
                    .with("actor_token_type", JWT)
                    .with("subject_token", person);
        }

        Request details(String json) {
            return with("authorization_details", json);
        }

        String body() {
            return form.entrySet().stream()
                    .flatMap(entry -> entry.getValue().stream()
                            .map(value -> entry.getKey() + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)))
                    .collect(Collectors.joining("&"));
        }

        Answer send() {
            MockHttpServletRequestBuilder request = post(path)
                    .contentType("application/x-www-form-urlencoded")
                    .content(body())
                    .with(sent -> {
                        sent.setRemoteAddr(source);
                        return sent;
                    });
            headers.forEach(request::header);
            return AgentDoorFixture.this.send(request);
        }
    }

    /** What came back. */
    record Answer(MockHttpServletResponse response) {

        int status() {
            return response.getStatus();
        }

        String body() {
            return new String(response.getContentAsByteArray(), StandardCharsets.UTF_8);
        }

        JsonNode json() {
            return new JsonMapper().readTree(body());
        }

        String text(String member) {
            return json().path(member).asString("");
        }

        String header(String name) {
            return response.getHeader(name);
        }

        @Override
        public String toString() {
            return status() + " " + body();
        }
    }
}
