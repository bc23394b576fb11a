package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Frames;
import io.sallyport.testing.NodePackages;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.Tools;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** WebSocket clients that people use: of the JDK, and Node's ws. */
class WebSocketClientsTest extends WebSocketCase {

    @Test
    void the_client_of_the_jdk_talks_through_a_tunnel_and_over_plain_http() throws Exception {
        for (String url : new String[] {
            "wss://" + hop.host("api.up.test") + "/ws/x", "ws://" + hop.plainHost("talk.up.test") + "/x"
        }) {
            CompletableFuture<String> said = new CompletableFuture<>();
            CompletableFuture<Integer> closed = new CompletableFuture<>();
            try (HttpClient client = HttpClient.newBuilder()
                    .proxy(ProxySelector.of(new InetSocketAddress("127.0.0.1", hop.port())))
                    .sslContext(hop.trust())
                    .build()) {
                WebSocket socket = client.newWebSocketBuilder()
                        .header("Proxy-Authorization", "Bearer " + hop.token("socket", "talk"))
                        .buildAsync(URI.create(url), listener(said, closed))
                        .get(10, TimeUnit.SECONDS);
                socket.sendText("hel", false).get(5, TimeUnit.SECONDS);
                socket.sendText("lo", true).get(5, TimeUnit.SECONDS);
                assertThat(said.get(5, TimeUnit.SECONDS)).isEqualTo("hello");
                socket.sendClose(1000, "done").get(5, TimeUnit.SECONDS);
                assertThat(closed.get(5, TimeUnit.SECONDS)).isEqualTo(1000);
            }
            Awaitility.await().until(() -> hop.flows().running() == 0);
            assertThat(hop.entries("outcome").getLast()).contains("\"outcome\":\"answered\"", "\"status\":101");
        }
        assertThat(hop.origin().received().getFirst().field("Authorization"))
                .containsExactly("Bearer " + TestHop.SECRET);
    }

    private static WebSocket.Listener listener(CompletableFuture<String> said, CompletableFuture<Integer> closed) {
        StringBuilder text = new StringBuilder();
        return new WebSocket.Listener() {
            @Override
            public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
                text.append(data);
                if (last) {
                    said.complete(text.toString());
                }
                socket.request(1);
                return null;
            }

            @Override
            public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
                closed.complete(code);
                return null;
            }
        };
    }

    /** With compression on, as it is unless somebody turns it off: it is declined, and the client goes on without. */
    @Test
    @Tag("slow")
    void the_ws_package_talks_in_a_megabyte_of_fragments_pings_and_closes() {
        Tools.Ran ran = NodePackages.run(
                "websocket.mjs",
                Map.of(
                        "HOST", "api.up.test",
                        "PORT", Integer.toString(hop.origin().port()),
                        "TOKEN", hop.token("socket"),
                        "HOP", Integer.toString(hop.port()),
                        "CA", hop.room(InterceptionRoot.class).pem()));
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out())
                .contains("protocol realtime extensions \"\"")
                .contains("message 1048576 true pong true")
                .contains("closed 1000 done");
        assertThat(got.getLast().first()).isEqualTo(Frames.CLOSE);
    }

    @Override
    void echo(io.sallyport.testing.TestOrigin.Received request, java.io.InputStream in, java.io.OutputStream out)
            throws java.io.IOException {
        if (request.field("Sec-WebSocket-Protocol").isEmpty()) {
            super.echo(request, in, out);
        } else {
            accept(request, out, "Sec-WebSocket-Protocol: realtime");
            frames(in, out);
        }
    }
}
