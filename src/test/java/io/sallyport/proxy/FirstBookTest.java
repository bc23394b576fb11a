package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.credential.Credential;
import io.sallyport.credential.Places;
import io.sallyport.rules.RuleBooks;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Documents that share a source: those that were written together are trusted together, and none that comes later is. */
class FirstBookTest {

    private static final String API = "https://api.up.test:${tls}";
    private static final String BLOB = "https://blob.up.test:${tls}";
    private static final String EVIL = "https://evil.up.test:${tls}";

    private final TestHop hop = TestHop.start();

    @AfterEach
    void close() {
        hop.close();
    }

    private void document(String name, String destination) {
        hop.document("credentials/" + name + ".yml", """
                sallyport: v1
                credential: %s
                destinations: ["%s"]
                source: {kind: file, name: shared}
                inject: {kind: bearer}
                blast-radius: low
                """.formatted(name, destination));
    }

    /** A book whose only policy sends the credential there. */
    private void sent(String credential, String host) {
        hop.secret("shared", TestHop.SECRET.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        hop.document("policies/fixer.yml", """
                sallyport: v1
                policy: fixer
                owner: team@example.com
                reason: Sends it
                review-by: 2099-01-01
                who:
                  - {identity: ci, subject: "agent-1"}
                scopes:
                  read:
                    reason: Reads
                    destination: {url: "https://%s:${tls}", addresses: [127.0.0.0/8]}
                    allow: ["GET /v1/**"]
                    credential: %s
                """.formatted(host, credential));
        assertThat(hop.reload()).isInstanceOf(RuleBooks.Reload.Swapped.class);
    }

    private int got(String host) {
        try (RawClient agent = hop.tunnel(host, hop.token("read"))) {
            return agent.send("GET /v1/x HTTP/1.1\r\nHost: " + hop.host(host) + "\r\n\r\n")
                    .read()
                    .status();
        }
    }

    private List<String> unconfirmed(String name) {
        Credential credential =
                hop.room(RuleBooks.class).current().credentials().get(name);
        return hop.room(Places.class).unconfirmed(credential);
    }

    private void oneUsedOfTwoMetTogether() {
        document("one", API);
        document("two", BLOB);
        sent("one", "api.up.test");
        assertThat(got("api.up.test")).isEqualTo(200);
        hop.origin().received().clear();
    }

    @Test
    void one_that_is_added_later_waits_although_it_is_in_a_book_with_the_first() {
        document("one", API);
        sent("one", "api.up.test");
        // Nothing of the source has been used when the other comes along.
        document("evil", EVIL);
        sent("one", "api.up.test");
        assertThat(got("api.up.test")).isEqualTo(200);
        hop.origin().received().clear();

        assertThat(unconfirmed("evil")).hasSize(1);
        sent("evil", "evil.up.test");
        assertThat(got("evil.up.test")).isEqualTo(503);
        assertThat(hop.origin().received()).isEmpty();
    }

    @Test
    void one_that_is_added_after_the_first_use_waits_as_ever() {
        oneUsedOfTwoMetTogether();
        document("evil", EVIL);
        sent("evil", "evil.up.test");
        assertThat(got("evil.up.test")).isEqualTo(503);
        assertThat(hop.origin().received()).isEmpty();
    }

    @Test
    void one_of_those_that_was_changed_before_its_first_use_waits() {
        document("one", API);
        document("two", BLOB);
        sent("one", "api.up.test");
        document("two", EVIL);
        sent("one", "api.up.test");
        assertThat(got("api.up.test")).isEqualTo(200);
        hop.origin().received().clear();

        sent("two", "evil.up.test");
        assertThat(got("evil.up.test")).isEqualTo(503);
        assertThat(hop.origin().received()).isEmpty();
    }

    @Test
    void one_of_those_that_is_changed_after_the_first_use_of_another_waits() {
        oneUsedOfTwoMetTogether();
        document("two", EVIL);
        sent("two", "evil.up.test");
        assertThat(got("evil.up.test")).isEqualTo(503);
    }

    @Test
    void those_that_were_met_together_are_used_without_a_confirmation() {
        oneUsedOfTwoMetTogether();
        assertThat(unconfirmed("two")).isEmpty();
        sent("two", "blob.up.test");
        assertThat(got("blob.up.test")).isEqualTo(200);
        assertThat(hop.origin().received().getFirst().field("Authorization"))
                .containsExactly("Bearer " + TestHop.SECRET);
        // From here on a change of it is one.
        document("two", EVIL);
        sent("two", "evil.up.test");
        assertThat(got("evil.up.test")).isEqualTo(503);
    }
}
