package io.sallyport.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.exchange.AgentDoorFixture.Answer;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Recognition;
import io.sallyport.grant.TaskListener;
import io.sallyport.grant.TestGrants;
import io.sallyport.http.IpRange;
import io.sallyport.policy.Binding;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The exchange for a policy whose tasks are bound to a listener of their own. */
class ListenerExchangeTest {

    private final AgentDoorFixture door = new AgentDoorFixture();

    @AfterEach
    void close() {
        door.close();
    }

    @Test
    void the_answer_says_where_the_listener_is_and_that_the_token_is_no_access_token() {
        Answer answer = door.listening().send();
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.json().path("listener").path("proxy").asString()).isEqualTo("http://127.0.0.1:13128");
        assertThat(answer.text("token_type")).isEqualTo("N_A");
        assertThat(door.grantOf(answer).binding()).isEqualTo(Binding.LISTENER);
    }

    @Test
    void the_token_is_recognised_for_a_part_of_the_task_and_nowhere_else() {
        String token = door.listening().send().text("access_token");
        var loopback = TestGrants.address("127.0.0.1");
        assertThat(door.grants.grants().recognise(token, loopback))
                .isEqualTo(new Recognition.NotLive("bound to its listener"));
        assertThat(door.grants.grants().recogniseHeld(token, loopback)).isInstanceOf(Recognition.Live.class);
    }

    @Test
    void the_listener_is_opened_after_the_grant_stands() {
        boolean[] stood = {false};
        door.listeners.beforeOpening =
                () -> stood[0] = !door.grants.grants().standing(grant -> true).isEmpty();
        door.listening().send();
        assertThat(stood[0]).isTrue();
    }

    @Test
    void a_port_is_for_the_source_of_the_exchange_or_the_address_that_is_given() {
        assertThat(wanted(door.listening().from("10.0.0.7"))).isEqualTo(new TaskListener.Port(range("10.0.0.7/32")));
        Answer given = door.listening()
                .from("10.0.0.7")
                .details("[{\"type\":\"sallyport_task\",\"address\":\"10.9.0.2/32\"}]")
                .send();
        assertThat(door.listeners.of(door.grantOf(given)).orElseThrow().wanted())
                .isEqualTo(new TaskListener.Port(range("10.9.0.2/32")));
        // The token stays with the runtime: it is shown from there.
        assertThat(door.grantOf(given).address()).isEqualTo("10.0.0.7/32");
        assertThat(given.json()
                        .path("authorization_details")
                        .path(0)
                        .path("address")
                        .asString())
                .isEqualTo("10.9.0.2/32");
    }

    @Test
    void a_socket_is_for_one_user() {
        Answer answer = door.listening()
                .details("[{\"type\":\"sallyport_task\",\"listener\":\"socket\",\"uid\":1001}]")
                .send();
        Grant grant = door.grantOf(answer);
        assertThat(door.listeners.of(grant).orElseThrow().wanted()).isEqualTo(new TaskListener.Socket(1001));
        assertThat(answer.json().path("listener").path("socket").asString()).startsWith("/run/tasks/");
        assertThat(answer.json()
                        .path("authorization_details")
                        .path(0)
                        .path("uid")
                        .asInt())
                .isEqualTo(1001);
    }

    @Test
    void what_does_not_go_together_is_refused_and_opens_nothing() {
        for (String detail : new String[] {
            "\"listener\":\"socket\"",
            "\"uid\":1001",
            "\"listener\":\"port\",\"uid\":1001",
            "\"listener\":\"socket\",\"uid\":1001,\"address\":\"10.0.0.1/32\"",
            "\"listener\":\"socket\",\"uid\":-1",
            "\"listener\":\"socket\",\"uid\":4294967295",
            "\"listener\":\"socket\",\"uid\":1.5",
            "\"listener\":\"socket\",\"uid\":\"root\"",
            // The kernel's word for everybody whom it can't name.
            "\"listener\":\"socket\",\"uid\":65534",
            "\"listener\":\"abstract\"",
            "\"listener\":7"
        }) {
            Answer answer = door.listening()
                    .details("[{\"type\":\"sallyport_task\"," + detail + "}]")
                    .send();
            assertThat(answer.status()).as(detail + " " + answer).isEqualTo(400);
            assertThat(answer.text("error")).isEqualTo("invalid_authorization_details");
        }
        assertThat(door.listeners.open).isEmpty();
        assertThat(door.grants.grants().standing(grant -> true)).isEmpty();
    }

    @Test
    void a_policy_that_binds_by_address_has_no_listeners() {
        Answer answer = door.exchange()
                .details("[{\"type\":\"sallyport_task\",\"listener\":\"port\"}]")
                .send();
        assertThat(answer.text("error")).isEqualTo("invalid_authorization_details");
        assertThat(door.listeners.open).isEmpty();
    }

    @Test
    void a_kind_of_listener_that_the_broker_does_not_open_is_refused_before_the_grant() {
        door.listeners.unfit = Optional.of("This broker opens no Unix sockets.");
        Answer answer = door.listening().send();
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("error_description")).contains("opens no Unix sockets");
        assertThat(door.ledger.facts).noneMatch(fact -> fact instanceof io.sallyport.ledger.Fact.Exchanged);
    }

    @Test
    void a_listener_that_can_not_be_opened_is_no_answer() {
        door.listeners.failure = Optional.of("no port of the range is free");
        Answer answer = door.listening().send();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).doesNotContain("access_token\"");
    }

    @Test
    void a_part_of_the_task_has_a_listener_of_its_own() {
        Answer first = door.listening().send();
        Answer part = door.child(first.text("access_token"))
                .with("scope", "sealed:read")
                .send();
        assertThat(part.status()).as(part.toString()).isEqualTo(200);
        assertThat(part.text("token_type")).isEqualTo("N_A");
        assertThat(door.listeners.of(door.grantOf(part))).isPresent();
        // Not from elsewhere, though: the token is the runtime's.
        assertThat(door.child(first.text("access_token"))
                        .with("scope", "sealed:read")
                        .from("10.0.0.9")
                        .send()
                        .status())
                .isEqualTo(400);
    }

    @Test
    void a_part_keeps_the_binding_of_its_task_whatever_the_policy_says_by_then() {
        Answer first = door.listening().send();
        door.books.with(new TestPolicy(
                "sealed",
                TestPolicy.LIMITS,
                door.books.current().policies().get("sealed").scopes(),
                who -> true));
        Answer part = door.child(first.text("access_token"))
                .with("scope", "sealed:read")
                .send();
        assertThat(door.grantOf(part).binding()).isEqualTo(Binding.LISTENER);
    }

    @Test
    void introspection_tells_the_runtime_where_the_listener_is() {
        String token = door.listening().send().text("access_token");
        Answer told = door.introspection(token).send();
        assertThat(told.json().path("active").asBoolean()).isTrue();
        assertThat(told.text("token_type")).isEqualTo("N_A");
        assertThat(told.json().path("listener").path("proxy").asString()).isEqualTo("http://127.0.0.1:13128");
    }

    private TaskListener.Wanted wanted(AgentDoorFixture.Request request) {
        return door.listeners.of(door.grantOf(request.send())).orElseThrow().wanted();
    }

    private static IpRange range(String text) {
        return IpRange.parse(text).orElseThrow();
    }
}
