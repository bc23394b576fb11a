package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Frames;
import io.sallyport.testing.Http2Case;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import org.junit.jupiter.api.Test;

/** WebSockets where one side, or both, speak HTTP/2. */
class WebSocketHttp2Test extends Http2Case {

    private static final String POLICY_WITH_SOCKETS =
            POLICY.replace("    credential: up\n", "    upgrade: [websocket]\n    credential: up\n");

    @Override
    protected TestHop startHop() {
        return TestHop.start(settings -> settings, POLICY_WITH_SOCKETS);
    }

    @Test
    void a_destination_that_prefers_http2_is_asked_in_http1_and_afterwards_in_http2_again() {
        origin().http1((request, out) -> {
            WebSocketCase.accept(request, out);
            out.write(Frames.plain(Frames.TEXT, request.requestLine()));
        });
        origin().protocols("h2", "http/1.1");
        try (RawClient agent = agent("two.up.test");
                RawClient other = agent("two.up.test")) {
            assertThat(other.send(to("two.up.test", "GET /first")).read().text())
                    .isEqualTo("hello");
            agent.send(WebSocketCase.handshakeAt("two.up.test:" + origin().port(), "/ws"));
            assertThat(agent.head()).startsWith("HTTP/1.1 101");
            assertThat(Frames.read(agent).text()).isEqualTo("GET /ws HTTP/1.1");
            assertThat(other.send(to("two.up.test", "GET /second")).read().text())
                    .isEqualTo("hello");
        }
        assertThat(origin().received())
                .extracting(request -> request.field(":path").getFirst())
                .containsExactly("/first", "/second");
        assertThat(origin().connections()).isGreaterThanOrEqualTo(2);
    }
}
