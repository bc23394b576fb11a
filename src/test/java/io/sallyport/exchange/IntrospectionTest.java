package io.sallyport.exchange;

import static io.sallyport.exchange.AgentDoorFixture.AGENT;
import static io.sallyport.exchange.AgentDoorFixture.BROKER;
import static io.sallyport.exchange.AgentDoorFixture.PEOPLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import io.sallyport.exchange.AgentDoorFixture.Answer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Introspection (RFC 7662): a workload asks about its own tokens alone. */
class IntrospectionTest {

    private final AgentDoorFixture door = new AgentDoorFixture();

    @AfterEach
    void close() {
        door.close();
    }

    @Test
    void whoever_does_not_prove_a_workload_learns_nothing() {
        String token = door.exchange().send().text("access_token");
        for (Answer answer : List.of(
                door.introspection(token)
                        .without("client_assertion")
                        .without("client_assertion_type")
                        .send(),
                door.introspection(token).with("client_assertion", "x.y.z").send(),
                door.introspection(token)
                        .without("client_assertion")
                        .without("client_assertion_type")
                        .with("client_secret", "s")
                        .send(),
                door.introspection(token).with("client_assertion", token).send())) {
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.text("error")).isEqualTo("invalid_client");
            assertThat(answer.body()).doesNotContain("active");
        }
    }

    @Test
    void an_active_token_is_described() {
        Answer issued = door.exchange().send();
        Answer answer = door.introspection(issued.text("access_token")).send();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("active").asBoolean()).isTrue();
        assertThat(answer.text("scope")).isEqualTo("fixer:read");
        assertThat(answer.text("client_id")).isEqualTo(AGENT);
        assertThat(answer.text("sub")).isEqualTo(AGENT);
        assertThat(answer.text("iss")).isEqualTo(BROKER);
        assertThat(answer.text("aud")).isEqualTo(BROKER);
        assertThat(answer.text("token_type")).isEqualTo("Bearer");
        assertThat(answer.text("task")).isEqualTo(issued.text("task_id"));
        assertThat(answer.json().path("exp").asLong()
                        - answer.json().path("iat").asLong())
                .isEqualTo(900);
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void a_delegation_shows_its_actor() {
        Answer issued = door.exchange()
                .onBehalfOf(PEOPLE.token("alice", door.time.instant()))
                .with("scope", "helper:mail")
                .send();
        Answer answer = door.introspection(issued.text("access_token")).send();
        assertThat(answer.text("sub")).isEqualTo("people/alice");
        assertThat(answer.json().path("act").path("sub").asString()).isEqualTo(AGENT);
    }

    @Test
    void whatever_is_not_active_for_the_caller_looks_alike() {
        Answer revoked = door.exchange().send();
        door.grants.end(door.grantOf(revoked));
        String foreign = door.exchange()
                .with("subject_token", door.agent("agent-2"))
                .send()
                .text("access_token");
        String expired = door.exchange().send().text("access_token");
        String standing = door.exchange().send().text("access_token");
        List<Answer> before = List.of(
                door.introspection(revoked.text("access_token")).send(),
                door.introspection(foreign).send(),
                door.introspection(standing + "x").send(),
                door.introspection(door.agent("agent-1")).send(),
                door.introspection("garbage").send());
        door.time.pass(Duration.ofMinutes(16));
        Answer late = door.introspection(expired).send();
        for (Answer answer : before) {
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("{\"active\":false}").isEqualTo(late.body());
            assertThat(answer.response().getHeaderNames())
                    .isEqualTo(late.response().getHeaderNames());
        }
    }

    @Test
    void a_token_is_required_and_only_a_post_is_answered() {
        assertThat(door.introspection("").send().text("error")).isEqualTo("invalid_request");
        assertThat(door.send(get("/oauth2/introspect")).status()).isEqualTo(405);
    }
}
