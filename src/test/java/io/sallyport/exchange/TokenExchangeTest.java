package io.sallyport.exchange;

import static io.sallyport.exchange.AgentDoorFixture.AGENT;
import static io.sallyport.exchange.AgentDoorFixture.BROKER;
import static io.sallyport.exchange.AgentDoorFixture.CLUSTER;
import static io.sallyport.exchange.AgentDoorFixture.JWT;
import static io.sallyport.exchange.AgentDoorFixture.PEOPLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import com.nimbusds.jwt.SignedJWT;
import io.sallyport.exchange.AgentDoorFixture.Answer;
import io.sallyport.exchange.AgentDoorFixture.Request;
import io.sallyport.grant.Grant;
import io.sallyport.http.Origin;
import io.sallyport.identity.Principal;
import io.sallyport.ledger.Fact;
import io.sallyport.testing.TestIssuer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The token endpoint, request by request (RFC 8693, 6749, 8707, 9396). */
class TokenExchangeTest {

    private final AgentDoorFixture door = new AgentDoorFixture();

    @AfterEach
    void close() {
        door.close();
    }

    // What a good request gets

    @Test
    void a_workload_token_becomes_a_task_token() {
        Answer answer = door.exchange().with("audience", BROKER).send();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("issued_token_type")).isEqualTo(ExchangeRequest.ACCESS_TOKEN);
        assertThat(answer.text("token_type")).isEqualTo("Bearer");
        assertThat(answer.json().path("expires_in").asInt()).isEqualTo(900);
        assertThat(answer.text("scope")).isEqualTo("fixer:read");
        assertThat(answer.text("task_id")).isNotEmpty();
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        assertThat(answer.header("Content-Type")).startsWith("application/json");
    }

    @Test
    void the_grant_and_its_entry_are_there_when_the_answer_is() {
        Answer answer = door.exchange().send();
        Grant grant = door.grantOf(answer);
        assertThat(door.grants.grants().stands(grant)).isTrue();
        assertThat(grant.workload()).isEqualTo(new Principal("cluster", "agent-1"));
        assertThat(grant.person()).isNull();
        assertThat(grant.uses()).isEqualTo(500);
        assertThat(door.books.kept).containsExactly("fixer");
        assertThat(door.ledger.facts).singleElement().isInstanceOfSatisfying(Fact.Exchanged.class, entry -> {
            assertThat(entry.actor().task()).isEqualTo(answer.text("task_id"));
            assertThat(entry.scopes()).containsExactly("read");
        });
    }

    @Test
    void the_token_is_an_rfc_9068_access_token_for_the_broker_itself() throws Exception {
        Answer answer =
                door.exchange().with("resource", "https://api.example.com").send();
        SignedJWT token = SignedJWT.parse(answer.text("access_token"));
        assertThat(token.getHeader().getType().getType()).isEqualTo("at+jwt");
        assertThat(token.getHeader().getAlgorithm().getName()).isEqualTo("ES256");
        Map<String, Object> claims = token.getJWTClaimsSet().getClaims();
        assertThat(claims).containsKeys("iss", "exp", "aud", "sub", "client_id", "iat", "jti", "task", "scope");
        assertThat(claims).containsEntry("iss", BROKER).containsEntry("aud", List.of(BROKER));
        assertThat(claims).containsEntry("client_id", AGENT).doesNotContainKey("act");
        assertThat(claims.toString()).doesNotContain(CLUSTER.issuer, "api.example.com");
        assertThat(answer.text("access_token").length()).isLessThanOrEqualTo(1536);
    }

    @Test
    void a_person_and_an_actor_make_a_delegation() throws Exception {
        Answer answer = door.exchange()
                .onBehalfOf(PEOPLE.token("alice", door.time.instant()))
                .with("scope", "helper:mail")
                .send();
        assertThat(answer.status()).isEqualTo(200);
        Map<String, Object> claims =
                SignedJWT.parse(answer.text("access_token")).getJWTClaimsSet().getClaims();
        assertThat(claims).containsEntry("sub", "people/alice").containsEntry("client_id", AGENT);
        assertThat(claims).containsEntry("act", Map.of("sub", AGENT));
    }

    @Test
    void may_act_leaves_room_for_its_actor_alone() {
        String other = PEOPLE.token("alice", door.time.instant(), claims -> claims.put("may_act", Map.of("sub", "x")));
        badToken(door.exchange().onBehalfOf(other).with("scope", "helper:mail"));
    }

    @Test
    void a_resource_narrows_the_scopes_to_its_destination_and_the_answer_says_so() {
        Answer answer = door.exchange()
                .with("scope", "fixer:read fixer:chat")
                .with("resource", "https://team.chat.example.com/")
                .send();
        assertThat(answer.text("scope")).isEqualTo("fixer:chat");
        assertThat(door.grantOf(answer).resources())
                .containsExactly(Origin.parse("https://team.chat.example.com").orElseThrow());
    }

    @Test
    void an_audience_may_be_an_origin() {
        Answer answer = door.exchange()
                .with("scope", "fixer:read fixer:chat")
                .with("audience", BROKER, "https://api.example.com")
                .send();
        assertThat(answer.text("scope")).isEqualTo("fixer:read");
    }

    @Test
    void without_a_target_the_scopes_alone_say_where() {
        assertThat(door.grantOf(door.exchange().send()).resources()).isEmpty();
    }

    @Test
    void details_narrow_and_what_was_granted_is_told() {
        Answer answer = door.exchange()
                .details(
                        "[{'type':'sallyport_task','purpose':'Fixes 17','ttl':'10min','uses':50,'bytes_out':'5MiB','address':'10.2.3.4/32'}]"
                                .replace('\'', '"'))
                .send();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("expires_in").asInt()).isEqualTo(600);
        JsonNode detail = answer.json().path("authorization_details").get(0);
        assertThat(detail.toString())
                .isEqualTo(
                        "{'type':'sallyport_task','purpose':'Fixes 17','ttl':'10min','uses':50,'bytes_out':'5MiB','address':'10.2.3.4/32'}"
                                .replace('\'', '"'));
        Grant grant = door.grantOf(answer);
        assertThat(grant.uses()).isEqualTo(50);
        assertThat(grant.bytesOut()).isEqualTo(5L << 20);
        assertThat(grant.purpose()).isEqualTo("Fixes 17");
    }

    @Test
    void details_never_widen_what_the_policy_gives() {
        Answer answer = door.exchange()
                .details("[{\"type\":\"sallyport_task\",\"ttl\":\"2d\",\"uses\":1000000,\"bytes_out\":\"1GiB\"}]")
                .send();
        assertThat(answer.json().path("expires_in").asInt()).isEqualTo(900);
        assertThat(door.grantOf(answer).uses()).isEqualTo(500);
        assertThat(answer.json()
                        .path("authorization_details")
                        .get(0)
                        .path("bytes_out")
                        .asString())
                .isEqualTo("20MiB");
    }

    @Test
    void the_token_is_bound_to_the_address_that_it_was_asked_from() {
        assertThat(door.grantOf(door.exchange().from("10.9.8.7").send()).address())
                .isEqualTo("10.9.8.7/32");
        assertThat(door.grantOf(door.exchange().from("0:0:0:0:0:0:0:1").send()).address())
                .isEqualTo("::1/128");
    }

    @Test
    void a_grant_lives_as_long_as_its_policy_says_and_not_as_its_proof() {
        String brief = CLUSTER.token(
                "agent-1",
                door.time.instant(),
                claims -> claims.put("exp", door.time.instant().getEpochSecond() + 5));
        String endless = CLUSTER.token("agent-1", door.time.instant(), claims -> claims.put("exp", 4_070_908_800L));
        for (String token : List.of(brief, endless)) {
            Answer answer = door.exchange().with("subject_token", token).send();
            assertThat(answer.json().path("expires_in").asInt()).isEqualTo(900);
        }
    }

    @Test
    void an_unknown_parameter_is_ignored() {
        assertThat(door.exchange().with("foo", "bar").send().status()).isEqualTo(200);
    }

    // What is malformed

    @Test
    void what_is_required_is_required_and_empty_is_missing() {
        for (String parameter : List.of("subject_token", "subject_token_type", "grant_type")) {
            refused(door.exchange().without(parameter), 400, "invalid_request");
            refused(door.exchange().with(parameter, ""), 400, "invalid_request");
        }
    }

    @Test
    void a_type_of_token_that_proves_nobody_is_refused() {
        for (String type : List.of(
                "urn:x", "urn:ietf:params:oauth:token-type:refresh_token", "urn:ietf:params:oauth:token-type:saml2")) {
            refused(door.exchange().with("subject_token_type", type), 400, "invalid_request");
            refused(
                    door.exchange().with("actor_token", door.agent("agent-1")).with("actor_token_type", type),
                    400,
                    "invalid_request");
        }
    }

    @Test
    void an_actor_token_and_its_type_go_together() {
        refused(door.exchange().with("actor_token", door.agent("agent-1")), 400, "invalid_request");
        refused(door.exchange().with("actor_token_type", JWT), 400, "invalid_request");
    }

    @Test
    void only_access_tokens_are_issued() {
        for (String type : List.of("urn:ietf:params:oauth:token-type:refresh_token", JWT, "x")) {
            refused(door.exchange().with("requested_token_type", type), 400, "invalid_request");
        }
        assertThat(door.exchange()
                        .with("requested_token_type", ExchangeRequest.ACCESS_TOKEN)
                        .send()
                        .status())
                .isEqualTo(200);
    }

    @Test
    void another_grant_type_is_not_supported() {
        refused(door.exchange().with("grant_type", "client_credentials"), 400, "unsupported_grant_type");
    }

    @Test
    void a_parameter_twice_is_refused() {
        for (String parameter : List.of("subject_token", "grant_type", "scope", "foo")) {
            refused(door.exchange().with(parameter, "a", "b"), 400, "invalid_request");
            refused(door.exchange().with(parameter, "", "b"), 400, "invalid_request");
        }
    }

    @Test
    void only_a_form_in_the_body_of_a_post_is_read() {
        String body = door.exchange().body();
        Answer query = door.send(
                post("/oauth2/token?" + body.replace("%", "%25")).contentType("application/x-www-form-urlencoded"));
        assertThat(query.status()).isEqualTo(400);
        Answer mixed = door.send(post("/oauth2/token?scope=fixer:pull")
                .contentType("application/x-www-form-urlencoded")
                .content(body));
        assertThat(mixed.status()).isEqualTo(400);
        Answer got = door.send(get("/oauth2/token"));
        assertThat(got.status()).isEqualTo(405);
        assertThat(got.header("Allow")).isEqualTo("POST");
        assertThat(door.send(post("/oauth2/token")
                                .contentType("application/json")
                                .content("{}"))
                        .status())
                .isEqualTo(415);
        assertThat(door.send(post("/oauth2/token").content(body)).status()).isEqualTo(415);
        assertThat(door.exchange().with("x", "a".repeat(70_000)).send().status())
                .isEqualTo(413);
    }

    // Bad tokens

    @Test
    void every_bad_subject_token_gets_the_same_answer() {
        for (String token : badTokens(CLUSTER, "agent-1")) {
            badToken(door.exchange().with("subject_token", token));
        }
        assertThat(door.fetched).isEmpty();
    }

    @Test
    void every_bad_actor_token_gets_the_same_answer() {
        String person = PEOPLE.token("alice", door.time.instant());
        for (String token : badTokens(CLUSTER, "agent-1")) {
            badToken(door.exchange()
                    .onBehalfOf(person)
                    .with("actor_token", token)
                    .with("scope", "helper:mail"));
        }
    }

    private List<String> badTokens(TestIssuer issuer, String subject) {
        var now = door.time.instant();
        long second = now.getEpochSecond();
        TestIssuer stranger = TestIssuer.at("https://stranger.example", issuer.audience);
        return List.of(
                issuer.token(subject, now, claims -> claims.put("exp", second - 61)),
                issuer.rotated("k1").token(subject, now),
                stranger.token(subject, now),
                issuer.token(subject, now, claims -> claims.put("nbf", second + 61)),
                issuer.token(subject, now, claims -> claims.remove("exp")),
                issuer.token(subject, now, claims -> claims.remove("aud")),
                issuer.token(subject, now, claims -> claims.put("aud", "https://other-broker.example")),
                "garbage");
    }

    @Test
    void the_cause_of_a_bad_token_is_in_the_ledger_and_the_token_is_nowhere() {
        String token = CLUSTER.token("agent-1", door.time.instant(), claims -> claims.put("exp", 1));
        Answer answer =
                door.exchange().with("subject_token", token).from("10.1.1.1").send();
        Fact.ExchangeRefused entry = refusedEntry();
        assertThat(entry.cause()).startsWith("expired");
        assertThat(entry.error()).isEqualTo("invalid_request");
        assertThat(entry.source()).isEqualTo("10.1.1.1");
        assertThat(entry.toString() + answer.body()).doesNotContain("eyJ");
    }

    @Test
    void an_issuer_whose_keys_cant_be_had_is_not_the_callers_fault() {
        TestIssuer down = TestIssuer.at("https://down.example", CLUSTER.audience);
        Answer answer = door.exchange()
                .with("subject_token", down.token("agent-1", door.time.instant()))
                .send();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isNotNull();
        assertThat(refusedEntry().cause()).contains("unreachable", "nobody is there");
        assertThat(door.exchange().send().status()).isEqualTo(200);
    }

    // Scopes and targets

    @Test
    void a_scope_that_is_unknown_or_not_open_is_refused_whole() {
        for (String scope : List.of(
                "",
                "read",
                ":read",
                "fixer:",
                "fixer:unknown",
                "unknown:read",
                "closed:all",
                "helper:mail",
                "fixer:read fixer:unknown",
                "fixer:read helper:mail",
                "FIXER:read",
                "fixer:Read",
                "fixer:*")) {
            refused(door.exchange().with("scope", scope), 400, "invalid_scope");
            assertThat(door.grants.grants().standing(grant -> true)).isEmpty();
        }
    }

    @Test
    void an_unknown_policy_and_a_closed_one_look_alike() {
        assertThat(door.exchange().with("scope", "closed:all").send().body())
                .isEqualTo(door.exchange().with("scope", "nowhere:all").send().body());
    }

    @Test
    void whom_no_policy_knows_is_told_so() {
        refused(door.exchange().with("subject_token", door.agent("stranger")), 400, "unauthorized_client");
    }

    @Test
    void a_target_that_no_scope_has_is_refused_and_all_such_look_alike() {
        for (String target : List.of(
                "https://elsewhere.example.com",
                "http://api.example.com",
                "https://api.example.com:8443",
                "https://closed.example.com",
                "https://mail.example.com",
                "/relative",
                "api.example.com",
                "https://api.example.com#fragment",
                "https://api.example.com/path",
                "https://chat.example.com",
                "https://u@api.example.com",
                "https://*.chat.example.com")) {
            String expected = door.exchange()
                    .with("resource", "https://unknown.example")
                    .send()
                    .body();
            for (String parameter : List.of("resource", "audience")) {
                Answer answer = refused(
                        door.exchange().with("scope", "fixer:read fixer:chat").with(parameter, target),
                        400,
                        "invalid_target");
                assertThat(answer.body()).isEqualTo(expected);
                refused(door.exchange().with(parameter, "https://api.example.com", target), 400, "invalid_target");
            }
            assertThat(door.grants.grants().standing(grant -> true)).isEmpty();
        }
    }

    @Test
    void a_credential_beyond_the_workloads_isolation_is_refused_by_name() {
        door.books.beyond.add("pull");
        Answer answer = refused(door.exchange().with("scope", "fixer:read fixer:pull"), 400, "invalid_scope");
        assertThat(answer.text("error_description")).contains("crown-jewels", "fixer:pull", "container");
        assertThat(door.exchange().send().status()).isEqualTo(200);
    }

    // authorization_details

    @Test
    void details_that_are_not_understood_are_refused() {
        for (String details : List.of(
                "nonsense",
                "{}",
                "[]",
                "[1]",
                "[{}]",
                "[{'type':'other'}]",
                "[{'type':7}]",
                "[{'type':'sallyport_task','color':'red'}]",
                "[{'type':'sallyport_task','ttl':600}]",
                "[{'type':'sallyport_task','ttl':'10m'}]",
                "[{'type':'sallyport_task','ttl':'0s'}]",
                "[{'type':'sallyport_task','ttl':'-1s'}]",
                "[{'type':'sallyport_task','uses':0}]",
                "[{'type':'sallyport_task','uses':-1}]",
                "[{'type':'sallyport_task','uses':1.5}]",
                "[{'type':'sallyport_task','uses':'50'}]",
                "[{'type':'sallyport_task','uses':99999999999999999999}]",
                "[{'type':'sallyport_task','bytes_out':'5MB'}]",
                "[{'type':'sallyport_task','bytes_out':0}]",
                "[{'type':'sallyport_task','purpose':''}]",
                "[{'type':'sallyport_task','purpose':'a\\nb'}]",
                "[{'type':'sallyport_task','address':'0.0.0.0/0'}]",
                "[{'type':'sallyport_task','address':'10.0.0.0/24'}]",
                "[{'type':'sallyport_task','address':'fd00::/48'}]",
                "[{'type':'sallyport_task','address':'host'}]",
                "[{'type':'sallyport_task','uses':1,'uses':2}]",
                "[{'type':'sallyport_task'},{'type':'sallyport_task'}]")) {
            refused(door.exchange().details(details.replace('\'', '"')), 400, "invalid_authorization_details");
        }
    }

    // The client

    @Test
    void a_client_secret_is_refused_whatever_it_is() {
        refused(door.exchange().with("client_secret", "s"), 401, "invalid_client");
        Answer basic = refused(door.exchange().header("Authorization", "Basic YTpi"), 401, "invalid_client");
        assertThat(basic.header("WWW-Authenticate")).startsWith("Basic");
        assertThat(refused(door.exchange().assertedBy("x.y.z"), 401, "invalid_client")
                        .header("WWW-Authenticate"))
                .isNull();
    }

    @Test
    void two_methods_at_once_are_refused() {
        refused(
                door.exchange().with("client_secret", "s").header("Authorization", "Basic YTpi"),
                400,
                "invalid_request");
        refused(door.exchange().with("client_secret", "s").assertedBy(door.agent("agent-1")), 400, "invalid_request");
    }

    @Test
    void whatever_names_the_client_means_the_acting_workload() {
        assertThat(door.exchange().with("client_id", AGENT).send().status()).isEqualTo(200);
        assertThat(door.exchange().assertedBy(door.agent("agent-1")).send().status())
                .isEqualTo(200);
        refused(door.exchange().with("client_id", "cluster/agent-2"), 401, "invalid_client");
        refused(door.exchange().assertedBy(door.agent("agent-2")), 401, "invalid_client");
    }

    // Stops and faults

    @Test
    void what_is_locked_is_not_opened() {
        door.lock = Optional.of("lock-7");
        Answer answer = refused(door.exchange(), 400, "unauthorized_client");
        assertThat(answer.body()).doesNotContain("lock-7");
        Fact.ExchangeRefused entry = refusedEntry();
        assertThat(entry.cause()).contains("lock-7");
        assertThat(entry.workload()).isEqualTo(new Principal("cluster", "agent-1"));
        assertThat(entry.policy()).isEqualTo("fixer");
    }

    @Test
    void a_ledger_that_refuses_the_entry_leaves_no_grant() {
        door.ledger.refuses = true;
        Answer answer = door.exchange().send();
        assertThat(answer.status()).isBetween(500, 599);
        assertThat(answer.body()).doesNotContain("access_token", "no more entries");
        assertThat(door.grants.grants().standing(grant -> true)).isEmpty();
        long rows = door.store.readers().read(connection -> {
            try (var rs = connection.createStatement().executeQuery("select count(*) from grants")) {
                return rs.getLong(1);
            }
        });
        assertThat(rows).isZero();
    }

    @Test
    void refusals_of_one_source_are_slowed_down_and_its_good_requests_still_pass() {
        Request bad = door.exchange().without("subject_token").from("10.6.6.6");
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            statuses.add(bad.send().status());
        }
        assertThat(statuses.subList(0, 100)).containsOnly(400);
        assertThat(statuses.subList(100, 150)).containsOnly(429);
        assertThat(bad.send().header("Retry-After")).isEqualTo("1");
        assertThat(door.exchange().from("10.6.6.6").send().status()).isEqualTo(200);
        assertThat(door.exchange().without("subject_token").send().status()).isEqualTo(400);
        door.time.pass(Duration.ofSeconds(10));
        assertThat(bad.send().status()).isEqualTo(400);
    }

    @Test
    void a_flood_of_refusals_does_not_flood_the_ledger() {
        for (int i = 0; i < 1_000; i++) {
            door.exchange().without("subject_token").send();
        }
        door.time.pass(Duration.ofSeconds(1));
        door.exchange().without("subject_token").send();
        Awaitility.await().until(() -> door.ledger.facts.size() == Refusals.LEDGER_BURST + 1);
        assertThat(((Fact.ExchangeRefused) door.ledger.facts.getLast()).cause()).contains("and 800 refusals before it");
        assertThat(door.meters
                        .counter("sallyport.exchange.refused", "error", "invalid_request")
                        .count())
                .isEqualTo(1_001);
    }

    // Parts of a task

    @Test
    void a_task_token_becomes_a_narrower_part_of_the_same_task() {
        Answer first = door.exchange().with("scope", "fixer:read fixer:pull").send();
        Answer part = door.child(first.text("access_token")).send();
        assertThat(part.status()).isEqualTo(200);
        assertThat(part.text("task_id")).isEqualTo(first.text("task_id"));
        Grant grant = door.grantOf(part);
        assertThat(grant.parent()).isEqualTo(door.grantOf(first).id());
        assertThat(grant.depth()).isEqualTo(1);
        assertThat(grant.scopes()).isEqualTo(Set.of("read"));
        assertThat(grant.address()).isEqualTo("127.0.0.1/32");
    }

    @Test
    void a_part_is_never_wider() {
        String first = door.exchange()
                .with("resource", "https://api.example.com")
                .send()
                .text("access_token");
        refused(door.child(first).with("scope", "fixer:pull"), 400, "invalid_scope");
        refused(door.child(first).with("scope", "helper:mail"), 400, "invalid_scope");
        refused(door.child(first).with("resource", "https://a.chat.example.com"), 400, "invalid_target");
        refused(
                door.child(first).details("[{\"type\":\"sallyport_task\",\"address\":\"10.0.0.1\"}]"),
                400,
                "invalid_authorization_details");
        assertThat(door.grantOf(door.child(first).send()).resources())
                .containsExactly(Origin.parse("https://api.example.com").orElseThrow());
    }

    @Test
    void a_part_never_lives_longer() {
        String first = door.exchange().send().text("access_token");
        door.time.pass(Duration.ofMinutes(14));
        assertThat(door.child(first).send().json().path("expires_in").asInt()).isEqualTo(60);
    }

    @Test
    void a_part_gets_of_what_is_left() {
        Answer first = door.exchange()
                .details("[{\"type\":\"sallyport_task\",\"uses\":3}]")
                .send();
        Grant grant = door.grantOf(first);
        var charge = new io.sallyport.grant.Charge(
                grant, "read", 1, 10, null, java.util.OptionalLong.empty(), java.util.OptionalLong.empty());
        door.grants.reserve(charge);
        assertThat(door.grantOf(door.child(first.text("access_token")).send()).uses())
                .isEqualTo(2);
        door.grants.reserve(charge);
        door.grants.reserve(charge);
        refused(door.child(first.text("access_token")), 400, "invalid_request");
    }

    @Test
    void a_task_is_divided_as_deep_as_its_policy_allows() {
        String first = door.exchange().send().text("access_token");
        String second = door.child(first).send().text("access_token");
        String third = door.child(second).send().text("access_token");
        refused(door.child(third), 400, "invalid_request");
    }

    @Test
    void an_ended_or_expired_task_token_is_a_bad_token_and_so_is_one_from_elsewhere() {
        Answer first = door.exchange().send();
        badToken(door.child(first.text("access_token")).from("10.0.0.1"));
        door.grants.end(door.grantOf(first));
        badToken(door.child(first.text("access_token")));
        Answer second = door.exchange().send();
        door.time.pass(Duration.ofMinutes(16));
        badToken(door.child(second.text("access_token")));
    }

    @Test
    void the_grandchild_of_an_ended_grant_is_dead_too() {
        Answer first = door.exchange().send();
        String part = door.child(first.text("access_token")).send().text("access_token");
        door.grants.end(door.grantOf(first));
        badToken(door.child(part));
    }

    @Test
    void a_task_token_is_exchanged_as_what_it_is() {
        String first = door.exchange().send().text("access_token");
        badToken(door.child(first).with("subject_token_type", JWT));
    }

    @Test
    void a_part_may_be_another_workloads_and_then_the_actors_are_nested() throws Exception {
        String first = door.exchange().send().text("access_token");
        Answer part = door.child(first)
                .with("actor_token", door.agent("agent-2"))
                .with("actor_token_type", JWT)
                .send();
        assertThat(part.status()).isEqualTo(200);
        Map<String, Object> claims =
                SignedJWT.parse(part.text("access_token")).getJWTClaimsSet().getClaims();
        assertThat(claims).containsEntry("sub", AGENT).containsEntry("client_id", "cluster/agent-2");
        assertThat(claims).containsEntry("act", Map.of("sub", "cluster/agent-2"));
        Answer third = door.child(part.text("access_token"))
                .with("actor_token", door.agent("agent-3"))
                .with("actor_token_type", JWT)
                .send();
        assertThat(SignedJWT.parse(third.text("access_token")).getJWTClaimsSet().getClaim("act"))
                .isEqualTo(Map.of("sub", "cluster/agent-3", "act", Map.of("sub", "cluster/agent-2")));
        refused(
                door.child(first).with("actor_token", door.agent("stranger")).with("actor_token_type", JWT),
                400,
                "unauthorized_client");
    }

    private Answer refused(Request request, int status, String error) {
        Answer answer = request.send();
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.text("error")).isEqualTo(error);
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        assertThat(answer.body()).doesNotContain("eyJ", "access_token\"");
        return answer;
    }

    private void badToken(Request request) {
        Answer answer = refused(request, 400, "invalid_request");
        assertThat(answer.body())
                .isEqualTo("{\"error\":\"invalid_request\",\"error_description\":"
                        + "\"A token of the request does not do. The broker's ledger has the cause.\"}");
    }

    private Fact.ExchangeRefused refusedEntry() {
        Awaitility.await().until(() -> !door.ledger.facts.isEmpty());
        return (Fact.ExchangeRefused) door.ledger.facts.getLast();
    }
}
