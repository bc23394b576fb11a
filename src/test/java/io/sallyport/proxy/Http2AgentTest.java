package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Http2AgentCase;
import io.sallyport.testing.RawHttp2Client;
import io.sallyport.testing.TestHop;
import java.util.List;
import org.junit.jupiter.api.Test;

/** HTTP/2 on the agent's side, to an origin of HTTP/1. */
class Http2AgentTest extends Http2AgentCase {

    @Test
    void a_request_in_a_tunnel_gets_its_credential_and_its_answer() {
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("read"))) {
            RawHttp2Client.Answer answer = agent.answer(agent.get(head("GET", "/v1/x?y=1", "accept", "text/plain")));
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text()).isEqualTo("hello");
            assertThat(answer.field("content-length")).containsExactly("5");
            assertThat(answer.ended()).isTrue();
        }
        var received = hop.origin().received().getFirst();
        assertThat(received.requestLine()).isEqualTo("GET /v1/x?y=1 HTTP/1.1");
        assertThat(received.field("Host")).containsExactly(hop.host("api.up.test"));
        assertThat(received.field("Authorization")).containsExactly("Bearer " + TestHop.SECRET);
        assertThat(received.field("accept")).containsExactly("text/plain");
        assertThat(received.field("Transfer-Encoding")).isEmpty();
    }

    @Test
    void content_of_a_known_and_of_an_unknown_length_arrives_whole() {
        try (RawHttp2Client agent = hop.http2("api.up.test", hop.token("write"))) {
            int sized = agent.begin(head("POST", "/v1/x", "content-length", "6"));
            agent.data(sized, "abc", false).data(sized, "def", true);
            assertThat(agent.answer(sized).status()).isEqualTo(200);
            int unsized = agent.begin(head("POST", "/v1/y"));
            agent.data(unsized, "ghi", false).data(unsized, "", true);
            assertThat(agent.answer(unsized).status()).isEqualTo(200);
        }
        assertThat(hop.origin().received())
                .extracting(received -> received.text() + received.field("Content-Length"))
                .containsExactly("abcdef[6]", "ghi[]");
        assertThat(hop.origin().received().get(1).field("Transfer-Encoding")).isEqualTo(List.of("chunked"));
    }
}
