package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The main job on the wire: what the agent sends, what the origin receives, what the ledger says. */
class HopTest {

    private final TestHop hop = TestHop.start();

    @AfterEach
    void close() {
        hop.close();
    }

    @Test
    void a_request_through_the_tunnel_reaches_the_origin_with_the_credential_and_is_recorded() {
        try (RawClient agent = hop.tunnel("api.up.test", hop.token("read"))) {
            agent.send("GET /v1/x HTTP/1.1\r\nHost: " + hop.host("api.up.test") + "\r\n\r\n");
            RawClient.Answer answer = agent.read();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text()).isEqualTo("hello");
        }
        TestOrigin.Received seen = hop.origin().received().getFirst();
        assertThat(seen.requestLine()).isEqualTo("GET /v1/x HTTP/1.1");
        assertThat(seen.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
        assertThat(hop.entries("used")).hasSize(1).first().asString().contains("/v1/x", "up");
    }
}
