package io.sallyport.revocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import io.sallyport.grant.Grant;
import io.sallyport.grant.TestGrants;
import io.sallyport.identity.ClientAssertions;
import io.sallyport.identity.Identities;
import io.sallyport.identity.Isolation;
import io.sallyport.identity.Principal;
import io.sallyport.identity.Verification;
import io.sallyport.identity.Verified;
import io.sallyport.ledger.Fact;
import io.sallyport.revocation.BreakableWriter.State;
import io.sallyport.testing.TestStore;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;

/** {@code POST /oauth2/revoke} as RFC 7009 has it. */
class RevokeEndpointTest {

    @RegisterExtension
    final TestStore store = new TestStore();

    private RevocationRoom room;
    private MockMvc door;
    private boolean keysDown;

    /** Believes {@code workload:SUBJECT}, and knows its own tokens when it sees them. */
    private final class OneCluster implements Identities {
        @Override
        public Verification verify(String token) {
            if (keysDown) {
                return new Verification.Unavailable("the issuer does not answer");
            }
            return issued(token)
                    ? new Verification.Accepted(new Verified(
                            new Principal("cluster", token.substring("workload:".length())),
                            Isolation.CONTAINER,
                            Instant.EPOCH,
                            Instant.MAX))
                    : new Verification.Rejected("no such token");
        }

        @Override
        public boolean issued(String token) {
            return token.startsWith("workload:");
        }
    }

    @BeforeEach
    void open() {
        room = new RevocationRoom(store);
        TokenRevocation revocation = new TokenRevocation(room.grants.tokens(), room.grants.grants(), room.revocations);
        door = MockMvcBuilders.standaloneSetup(new RevokeController(revocation, OneCluster::new))
                .build();
    }

    private static MockHttpServletRequestBuilder anonymous() {
        return post("/oauth2/revoke").contentType("application/x-www-form-urlencoded");
    }

    private static MockHttpServletRequestBuilder as(String subject) {
        return anonymous()
                .param("client_assertion_type", ClientAssertions.TYPE)
                .param("client_assertion", "workload:" + subject);
    }

    private MockHttpServletResponse answer(MockHttpServletRequestBuilder request) throws Exception {
        return door.perform(request).andReturn().getResponse();
    }

    private Grant opened() {
        return room.grants.open(TestGrants.active());
    }

    private String token(Grant grant) {
        return room.grants.tokens().mint(grant);
    }

    private boolean stands(Grant grant) {
        return room.grants.grants().stands(grant);
    }

    private static void refused(MockHttpServletResponse answer, int status, String error) throws Exception {
        assertThat(answer.getStatus()).isEqualTo(status);
        assertThat(answer.getContentAsString()).contains("\"error\":\"" + error + "\"");
        assertThat(answer.getHeader("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void its_own_token_ends_with_everything_below_it() throws Exception {
        Grant root = opened();
        Grant child = room.grants.open(TestGrants.childOf(root));
        Grant grandchild = room.grants.open(TestGrants.childOf(child));
        Grant other = opened();

        MockHttpServletResponse answer = answer(as("site-fixer").param("token", token(root)));

        assertThat(answer.getStatus()).isEqualTo(200);
        assertThat(answer.getContentAsString()).isEmpty();
        assertThat(answer.getHeader("Cache-Control")).isEqualTo("no-store");
        assertThat(stands(root)).isFalse();
        assertThat(stands(child)).isFalse();
        assertThat(stands(grandchild)).isFalse();
        assertThat(stands(other)).isTrue();
        assertThat(room.cut).containsExactlyInAnyOrder(root, child, grandchild);
        assertThat(room.ledger.facts(Fact.Revoked.class))
                .singleElement()
                .satisfies(fact -> assertThat(fact.by()).isEqualTo("cluster/site-fixer"));
        store.reopen();
        open();
        assertThat(stands(root)).isFalse();
    }

    @Test
    void an_unknown_or_malformed_token_is_answered_as_a_revoked_one() throws Exception {
        assertThat(answer(as("site-fixer").param("token", "garbage")).getStatus())
                .isEqualTo(200);
        assertThat(answer(as("site-fixer").param("token", token(TestGrants.active())))
                        .getStatus())
                .isEqualTo(200);
    }

    @Test
    void the_same_token_again_is_200_and_writes_nothing_more() throws Exception {
        String token = token(opened());
        assertThat(answer(as("site-fixer").param("token", token)).getStatus()).isEqualTo(200);
        assertThat(answer(as("site-fixer").param("token", token)).getStatus()).isEqualTo(200);
        assertThat(room.ledger.facts(Fact.Revoked.class)).hasSize(1);
    }

    @Test
    void an_unknown_hint_is_ignored() throws Exception {
        Grant grant = opened();
        assertThat(answer(as("site-fixer").param("token", token(grant)).param("token_type_hint", "saml3"))
                        .getStatus())
                .isEqualTo(200);
        assertThat(stands(grant)).isFalse();
    }

    @Test
    void no_token_or_an_empty_one_is_invalid_request() throws Exception {
        refused(answer(as("site-fixer")), 400, "invalid_request");
        refused(answer(as("site-fixer").param("token", "")), 400, "invalid_request");
    }

    @Test
    void bad_client_authentication_is_invalid_client_and_the_token_lives() throws Exception {
        Grant grant = opened();
        refused(answer(anonymous().param("token", token(grant))), 401, "invalid_client");
        refused(
                answer(anonymous()
                        .param("token", token(grant))
                        .param("client_assertion_type", ClientAssertions.TYPE)
                        .param("client_assertion", "forged")),
                401,
                "invalid_client");
        MockHttpServletResponse basic = answer(
                anonymous().param("token", token(grant)).header("Authorization", "Basic c2l0ZS1maXhlcjpzZWNyZXQ="));
        refused(basic, 401, "invalid_client");
        assertThat(basic.getHeader("WWW-Authenticate")).startsWith("Basic");
        refused(
                answer(as("site-fixer").param("token", token(grant)).param("client_secret", "s")),
                400,
                "invalid_request");
        assertThat(stands(grant)).isTrue();
    }

    @Test
    void anothers_token_lives_on() throws Exception {
        Grant grant = opened();
        refused(answer(as("somebody-else").param("token", token(grant))), 400, "invalid_grant");
        assertThat(stands(grant)).isTrue();
    }

    @Test
    void a_token_of_a_trusted_identity_is_not_ours_to_revoke() throws Exception {
        refused(answer(as("site-fixer").param("token", "workload:site-fixer")), 400, "unsupported_token_type");
    }

    @Test
    void get_is_405_and_a_token_in_the_url_is_refused_unread() throws Exception {
        Grant grant = opened();
        MockHttpServletResponse byGet = answer(get("/oauth2/revoke").param("token", token(grant)));
        assertThat(byGet.getStatus()).isEqualTo(405);
        assertThat(byGet.getHeader("Allow")).isEqualTo("POST");
        MockHttpServletResponse inUrl = answer(post("/oauth2/revoke?token=" + token(grant))
                .contentType("application/x-www-form-urlencoded")
                .param("client_assertion_type", ClientAssertions.TYPE)
                .param("client_assertion", "workload:site-fixer"));
        refused(inUrl, 400, "invalid_request");
        assertThat(inUrl.getContentAsString()).doesNotContain(token(grant));
        assertThat(stands(grant)).isTrue();
    }

    @Test
    void json_is_415_and_a_repeated_parameter_is_invalid_request() throws Exception {
        assertThat(answer(post("/oauth2/revoke").contentType("application/json").content("{}"))
                        .getStatus())
                .isEqualTo(415);
        Grant grant = opened();
        refused(answer(as("site-fixer").param("token", token(grant), "garbage")), 400, "invalid_request");
        assertThat(stands(grant)).isTrue();
    }

    @Test
    void while_the_record_is_not_durable_the_token_is_cut_and_the_answer_is_503() throws Exception {
        Grant grant = opened();
        room.writer.become(State.DOWN);
        for (int again = 0; again < 2; again++) {
            MockHttpServletResponse answer = answer(as("site-fixer").param("token", token(grant)));
            refused(answer, 503, "temporarily_unavailable");
            assertThat(answer.getHeader("Retry-After")).isEqualTo("1");
            assertThat(stands(grant)).isFalse();
        }
        assertThat(room.cut).containsExactly(grant);
        room.writer.become(State.WORKS);
        room.revocations.retry();
        assertThat(answer(as("site-fixer").param("token", token(grant))).getStatus())
                .isEqualTo(200);
    }

    @Test
    void a_client_that_can_not_be_authenticated_just_now_is_told_to_come_back() throws Exception {
        Grant grant = opened();
        keysDown = true;
        refused(answer(as("site-fixer").param("token", token(grant))), 503, "temporarily_unavailable");
        assertThat(stands(grant)).isTrue();
    }
}
