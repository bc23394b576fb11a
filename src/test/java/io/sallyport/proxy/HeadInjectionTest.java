package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Ask;
import io.sallyport.testing.Door;
import io.sallyport.testing.EveryDoor;
import io.sallyport.testing.InjectionCase;
import io.sallyport.testing.Reply;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;

/** A secret in the head of a request: what the destination gets, what it does not get, and what is written down. */
class HeadInjectionTest extends InjectionCase {

    private static final String ESCAPED = "sk-live-Ab%2FCd%2BEf%3DGh%26Ij%22Kl%3CMn%3E7890qrSTuvWX";

    /** RW-24. */
    @EveryDoor
    void in_a_query_parameter_there_is_exactly_one_and_it_is_the_injected(Door door) {
        inject("{kind: query, name: api_key}");
        Reply reply = ask(
                door,
                Ask.of("GET /v1/x?api_key=mine&q=1&API-KEY=mine&api%5Fkey=mine;key=mine", "x-goog-api-key: mine"));

        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        TestOrigin.Received seen = seen(door);
        assertThat(seen.target()).isEqualTo("/v1/x?q=1&api_key=" + ESCAPED);
        assertThat(seen.head()).doesNotContain("mine");
        assertThat(entry("used"))
                .contains("\"target\":\"/v1/x?q=1\"", "api_key", "\"credentials\":[\"up\"]")
                .doesNotContain("mine", "sk-live");
        assertThat(entry("outcome")).contains("\"injected\":[\"up\"]").doesNotContain("content_changed");
    }

    @EveryDoor
    void in_a_query_it_stands_alone_where_the_agent_brings_none(Door door) {
        inject("{kind: query, name: key}");
        assertThat(ask(door, Ask.of("GET /v1/x")).status()).isEqualTo(200);
        assertThat(seen(door).target()).isEqualTo("/v1/x?key=" + ESCAPED);
    }

    /** RW-24. */
    @EveryDoor
    void in_a_cookie_it_takes_the_place_of_all_that_the_agent_brings(Door door) {
        inject("{kind: cookie, name: session, encoding: percent}");
        assertThat(ask(door, Ask.of("GET /v1/x", "Cookie: a=mine; session=mine", "Cookie: b=mine"))
                        .status())
                .isEqualTo(200);
        TestOrigin.Received seen = seen(door);
        assertThat(seen.field("Cookie")).containsExactly("session=sk-live-Ab/Cd+Ef=Gh&Ij%22Kl<Mn>7890qrSTuvWX");
        assertThat(seen.head()).doesNotContain("mine");
    }

    /** A secret that no cookie can hold is not cut or bent: the credential is unavailable. */
    @EveryDoor
    void what_no_cookie_can_hold_is_not_sent(Door door) {
        inject("{kind: cookie, name: session}");
        assertThat(ask(door, Ask.of("GET /v1/x")).status()).isEqualTo(503);
        assertThat(door.origin(hop).received()).isEmpty();
        assertThat(entry("refused")).contains("which no cookie can hold").doesNotContain("sk-live");
    }

    /** RW-25: the path that is judged and recorded is the agent's, with its place blotted out. */
    @EveryDoor
    void in_the_path_it_takes_the_place_of_whatever_stands_there_and_neither_is_recorded(Door door) {
        inject("{kind: path, template: \"/v1/bot{secret}/**\"}", "123456:ABC-def/12");
        for (String path : new String[] {"/v1/botmine/getMe", "/v1/bot/getMe"}) {
            Reply reply = ask(door, Ask.of("GET " + path));
            assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
            assertThat(seen(door).target()).isEqualTo("/v1/bot123456:ABC-def%2F12/getMe");
            assertThat(entry("used"))
                    .contains("\"target\":\"/v1/bot***/getMe\"")
                    .doesNotContain("mine", "123456");
        }
    }

    @EveryDoor
    void a_path_without_the_place_is_refused_and_not_sent_without_the_credential(Door door) {
        inject("{kind: path, template: \"/v1/bot{secret}/**\"}");
        Reply reply = ask(door, Ask.of("GET /v1/other/getMe"));
        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.text()).contains("target_without_place", "/v1/bot{secret}/**");
        assertThat(door.origin(hop).received()).isEmpty();
    }

    @EveryDoor
    void a_refusals_entry_does_not_show_what_the_agent_has_in_the_place(Door door) {
        inject("{kind: path, template: \"/v1/bot{secret}/**\"}");
        assertThat(ask(door, Ask.of("DELETE /v1/botmine/getMe")).status()).isEqualTo(403);
        assertThat(entry("refused")).contains("/v1/bot***/getMe").doesNotContain("mine");
    }

    /** What comes back is masked as it was sent, too. */
    @EveryDoor
    void a_target_that_is_echoed_is_masked(Door door) {
        inject("{kind: query, name: key}");
        door.origin(hop).answer(TestOrigin.echo());
        Reply reply = ask(door, Ask.of("GET /v1/x"));
        assertThat(reply.text()).contains("key=***").doesNotContain("sk-live", ESCAPED);
    }

    /** At the gateway a second value in the place of the token is a doubt. */
    @EveryDoor
    void a_field_is_written_as_its_template_says_in_place_of_the_agents_own(Door door) {
        inject("{kind: header, name: X-Auth, template: \"token={secret};\"}");
        Reply reply = ask(door, Ask.of("GET /v1/x", "x_auth: mine", "X-Auth: mine"));
        if (door.gateway()) {
            assertThat(reply.status()).isEqualTo(400);
            return;
        }
        assertThat(reply.status()).isEqualTo(200);
        TestOrigin.Received seen = seen(door);
        assertThat(seen.field("X-Auth")).containsExactly("token=" + TestHop.SECRET + ";");
        assertThat(seen.head()).doesNotContain("mine");
    }
}
