package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.ledger.Ledger;
import io.sallyport.ledger.Sha256;
import io.sallyport.testing.Ask;
import io.sallyport.testing.Caller;
import io.sallyport.testing.Door;
import io.sallyport.testing.DoorCase;
import io.sallyport.testing.EveryDoor;
import io.sallyport.testing.Reply;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.util.List;
import org.awaitility.Awaitility;

/** RW-74: what would put a fresh credential into the sandbox, or a signed URL beside ours, asked at every door. */
class FreshCredentialTest extends DoorCase {

    private Reply ask(Door door, Ask ask) {
        try (Caller agent = door.call(hop, door.token(hop))) {
            return agent.ask(ask);
        }
    }

    @EveryDoor
    void an_endpoint_that_hands_out_credentials_is_refused_where_a_wildcard_merely_covers_it(Door door) {
        door.origin(hop).answer(TestOrigin.ok("{\"access_token\":\"fresh-one\",\"refresh_token\":\"fresh-two\"}"));
        for (String path : List.of("/any/oauth/token", "/any/OAuth/token/", "/any/create_api_key", "/any/user/keys")) {
            Reply reply = ask(door, Ask.of("POST " + path).content("grant_type=x".getBytes(US_ASCII)));
            assertThat(reply.status()).as(path).isEqualTo(403);
            assertThat(reply.text()).contains("\"hands_out_credentials\"").doesNotContain("fresh-one");
        }
        Reply action = ask(door, Ask.of("GET /any/?Action=AssumeRole&Version=2011-06-15"));
        assertThat(action.text()).contains("\"hands_out_credentials\"");
        Reply target = ask(door, Ask.of("GET /any/x", "X-Amz-Target: ECR.GetAuthorizationToken"));
        assertThat(target.text()).contains("\"hands_out_credentials\"");
        assertThat(door.origin(hop).received()).isEmpty();
        assertThat(hop.entries("refused")).last().asString().contains("hands_out_credentials");
        assertThat(ask(door, Ask.of("GET /any/oauth/tokens")).status()).isEqualTo(200);
    }

    /** Where a scope says it in words, whose task was given which credential is a look-up by its hash. */
    @EveryDoor
    void what_is_handed_out_where_a_line_says_so_is_in_the_ledger_by_its_hash(Door door) {
        String fresh = "fresh-access-token-" + door;
        door.origin(hop).answer(TestOrigin.ok("{\"access_token\":\"" + fresh + "\",\"expires_in\":60}"));
        Reply reply = ask(
                door,
                Ask.of("POST /v1/issued/oauth/token").content("grant_type=client_credentials".getBytes(US_ASCII)));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text()).contains(fresh);
        Awaitility.await().until(() -> !byHash(fresh).isEmpty());
        Ledger.Entry found = byHash(fresh).getFirst();
        assertThat(found.kind()).isEqualTo("handed-out");
        assertThat(hop.entries("handed-out"))
                .last()
                .asString()
                .contains("access_token")
                .doesNotContain(fresh);
    }

    private List<Ledger.Entry> byHash(String value) {
        return hop.room(Ledger.class)
                .find(Ledger.Query.ofSha256(Sha256.of(value.getBytes(US_ASCII)), 10))
                .entries();
    }

    /** RW-34: on the credential's own host. */
    @EveryDoor
    void no_credential_is_added_beside_a_signature(Door door) {
        for (String query : List.of(
                "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=abc",
                "Expires=1&Signature=abc",
                "sv=2024&%73ig=abc",
                "a=1;SIG=abc")) {
            Reply reply = ask(door, Ask.of("GET /v1/o?" + query));
            assertThat(reply.status()).as(query).isEqualTo(403);
            assertThat(reply.text()).contains("\"signed_url\"");
        }
        assertThat(door.origin(hop).received()).isEmpty();
        assertThat(ask(door, Ask.of("GET /v1/o?design=1")).status()).isEqualTo(200);
        assertThat(door.origin(hop).received().getFirst().field("Authorization"))
                .containsExactly("Bearer " + TestHop.SECRET);
    }

    /** RW-34: the hop passes a redirect on as it is. */
    @EveryDoor
    void a_redirect_is_passed_on_and_never_followed(Door door) {
        String there = door.scheme() + "://blob.up.test:" + door.origin(hop).port()
                + "/o?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=abc";
        for (int status : new int[] {301, 302, 303, 307, 308}) {
            door.origin(hop).received().clear();
            door.origin(hop).answer(TestOrigin.status(status, "", "Location: " + there));
            Reply reply = ask(door, Ask.of("GET /v1/blob"));
            assertThat(reply.status()).isEqualTo(status);
            assertThat(reply.field("Location")).containsExactly(there);
            assertThat(door.origin(hop).received()).hasSize(1);
        }
    }
}
