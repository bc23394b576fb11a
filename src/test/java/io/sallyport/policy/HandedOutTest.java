package io.sallyport.policy;

import static io.sallyport.policy.TestPolicies.answer;
import static io.sallyport.policy.TestPolicies.ask;
import static io.sallyport.policy.TestPolicies.policy;
import static io.sallyport.policy.TestPolicies.scope;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** RW-74: what a wildcard covers does not hand out credentials; what a line says in words may. */
class HandedOutTest {

    private static final String API = "https://api.up.test";

    @Test
    void a_line_that_merely_covers_the_endpoint_does_not_allow_it() {
        Policy policy = policy(scope("credential: up\nwide: w\nallow: [\"* /**\"]"));
        assertThat(answer(policy, "POST", API + "/oauth/token")).isEqualTo("hands_out_credentials");
        assertThat(answer(policy, "POST", API + "/OAUTH/token.json")).isEqualTo("hands_out_credentials");
        assertThat(answer(policy, "POST", API + "/items")).isEqualTo("s");
        assertThat(ask(policy, "POST", API + "/oauth/token"))
                .isEqualTo(new Verdict.Refused(
                        "hands_out_credentials",
                        "s",
                        "the answer would be a fresh credential (POST **/token), and the line \"* /**\" of scope s does"
                                + " not say so in words",
                        false));
    }

    @Test
    void a_line_that_says_it_in_words_allows_it() {
        Policy policy = policy(scope("credential: up\nwide: w\nallow: [\"* /**\", \"POST /oauth/token\"]"));
        assertThat(answer(policy, "POST", API + "/oauth/token")).isEqualTo("s");
        assertThat(answer(policy, "POST", API + "/other/token")).isEqualTo("hands_out_credentials");
    }

    @Test
    void without_a_credential_of_ours_nothing_is_handed_out_in_our_name() {
        Policy none = policy(scope("credential: none\nallow: [\"* /**\"]"));
        Policy own = policy(scope("credential: {own: [authorization], reason: r}\nallow: [\"* /**\"]"));
        assertThat(answer(none, "POST", API + "/oauth/token")).isEqualTo("s");
        assertThat(answer(own, "POST", API + "/oauth/token")).isEqualTo("s");
    }

    @Test
    void an_action_in_the_query_is_one_that_the_scope_pins() {
        Policy free = policy(scope("credential: up\nallow: [\"GET,POST /\"]"));
        Policy pinned = policy(scope("credential: up\nallow: [\"GET,POST /\"]\nquery: {Action: [GetSessionToken]}"));
        assertThat(answer(free, "GET", API + "/?Action=GetSessionToken")).isEqualTo("hands_out_credentials");
        assertThat(answer(free, "GET", API + "/?Action=GetCallerIdentity")).isEqualTo("s");
        assertThat(answer(pinned, "GET", API + "/?Action=GetSessionToken")).isEqualTo("s");
        assertThat(answer(pinned, "GET", API + "/?Action=GetSessionToken&action=AssumeRole"))
                .isEqualTo("hands_out_credentials");
    }
}
