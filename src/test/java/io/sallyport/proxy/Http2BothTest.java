package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Http2Case;
import io.sallyport.testing.Http2Frame;
import io.sallyport.testing.Http2Origin;
import io.sallyport.testing.RawHttp2Client;
import io.sallyport.testing.TestHop;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** HTTP/2 on both sides. */
class Http2BothTest extends Http2Case {

    private String[] head(String method, String path, String... more) {
        String[] all = new String[8 + more.length];
        String[] first = {":method", method, ":scheme", "https", ":authority", "two.up.test:" + origin().port()};
        System.arraycopy(first, 0, all, 0, 6);
        all[6] = ":path";
        all[7] = path;
        System.arraycopy(more, 0, all, 8, more.length);
        return all;
    }

    private RawHttp2Client agent() {
        return hop.http2ToHttp2("two.up.test", hop.token("two"));
    }

    /** A call of gRPC that begins before it says anything (RW-08). */
    @Test
    void a_conversation_that_begins_late_is_not_held_back() {
        origin().answer(request -> {
            for (byte[] piece = request.next(); piece != null; piece = request.next()) {
                if (request.soFar().length == piece.length) {
                    request.head(false, ":status", "200", "content-type", "application/grpc");
                }
                request.data(false, piece);
            }
            request.head(true, "grpc-status", "0");
        });
        try (RawHttp2Client agent = agent()) {
            int call = agent.begin(head("POST", "/svc/Both", "te", "trailers", "content-type", "application/grpc"));
            Awaitility.await().until(() -> origin().received().size() == 1);
            LockSupport.parkNanos(300_000_000);
            for (int i = 1; i <= 4; i++) {
                agent.data(call, "\0\0\0\0\11message " + i, false);
                int bytes = i * 14;
                agent.await(frame -> agent.soFar(call).content().length == bytes);
                LockSupport.parkNanos(100_000_000);
            }
            agent.data(call, "", true);

            RawHttp2Client.Answer answer = agent.answer(call);
            assertThat(answer.heads().getLast()).containsExactly("grpc-status: 0");
            assertThat(answer.content()).hasSize(56);
        }
        assertThat(origin().received().getFirst().field("te")).containsExactly("trailers");
    }

    /** RW-68: a message is searched as a whole, however its frames cut it; what it ends in is not held for the next. */
    @Test
    void a_secret_in_a_message_is_masked_and_messages_of_any_cut_arrive_at_once() {
        String said = "\0\0\0\0\0\0\0\0\0" + (char) (TestHop.SECRET.length() + 2) + "<" + TestHop.SECRET + ">";
        origin().answer(request -> {
            request.head(false, ":status", "200", "content-type", "application/grpc+proto");
            for (int i = 0; i < said.length(); i++) {
                request.data(false, said.substring(i, i + 1));
            }
        });
        try (RawHttp2Client agent = agent()) {
            int call = agent.get(head("GET", "/x"));
            agent.await(frame -> agent.soFar(call).content().length == said.length());
            assertThat(agent.soFar(call).text()).doesNotContain(TestHop.SECRET).endsWith(">");
        }
    }

    /** A compressed message would hide what it echoes. */
    @Test
    void compression_of_messages_is_declined_and_refused() {
        origin().answer(request ->
                request.head(true, ":status", "200", "content-type", "application/grpc", "grpc-encoding", "gzip"));
        try (RawHttp2Client agent = agent()) {
            RawHttp2Client.Answer answer = agent.answer(agent.get(head("GET", "/x", "grpc-accept-encoding", "gzip")));
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.text()).contains("upstream_coded");
        }
        assertThat(origin().received().getFirst().field("grpc-accept-encoding")).containsExactly("identity");
    }

    /** An answer of trailers only is told from a head by the end of its stream. */
    @Test
    void a_head_that_ends_its_stream_stays_one_and_one_of_no_length_may_have_trailers() {
        origin().answer(request -> {
            if (request.field(":path").contains("/only")) {
                request.head(true, ":status", "200", "content-type", "application/grpc", "grpc-status", "5");
            } else {
                request.head(false, ":status", "200", "content-length", "0");
                request.head(true, "grpc-status", "6");
            }
        });
        try (RawHttp2Client agent = agent()) {
            int only = agent.get(head("GET", "/only"));
            assertThat(agent.answer(only).field("grpc-status")).containsExactly("5");
            assertThat(agent.frames().stream().filter(frame -> frame.stream() == only))
                    .hasSize(1);
            RawHttp2Client.Answer both = agent.answer(agent.get(head("GET", "/both")));
            assertThat(both.heads().getLast()).containsExactly("grpc-status: 6");
        }
    }

    @Test
    void trailers_cross_in_both_directions() throws Exception {
        origin().answer(request -> {
            request.content();
            request.head(false, ":status", "200");
            request.data(false, "x");
            request.head(true, "x-sum", "2");
        });
        try (RawHttp2Client agent = agent()) {
            int call = agent.begin(head("POST", "/x"));
            agent.data(call, "abc", false)
                    .frame(
                            Http2Frame.HEADERS,
                            Http2Frame.END_STREAM | Http2Frame.END_HEADERS,
                            call,
                            RawHttp2Client.headers("x-sum", "1"));
            assertThat(agent.answer(call).heads().getLast()).containsExactly("x-sum: 2");
        }
        assertThat(origin().received().getFirst().trailers())
                .containsExactly(new Http2Origin.Line("x-sum", "1", false));
        assertThat(new String(origin().received().getFirst().content(), ISO_8859_1))
                .isEqualTo("abc");
    }

    @Test
    void a_reset_crosses_in_both_directions() {
        origin().answer(request -> {
            request.head(false, ":status", "200");
            if (request.field(":path").contains("/broken")) {
                request.reset(2);
            }
        });
        try (RawHttp2Client agent = agent()) {
            RawHttp2Client.Answer broken = agent.answer(agent.get(head("GET", "/broken")));
            assertThat(broken.ended()).isFalse();
            assertThat(broken.reset()).isPositive();

            int left = agent.get(head("GET", "/left"));
            agent.head(left);
            agent.reset(left, 8);
            Awaitility.await()
                    .until(() -> !origin().frames(Http2Frame.RST_STREAM).isEmpty());
            assertThat(origin().frames(Http2Frame.RST_STREAM).getFirst().code()).isEqualTo(8);
        }
    }

    /** Its agent has it whole and is gone: nobody would ever end what runs for it. */
    @Test
    void an_answer_without_content_is_whole_with_its_head_though_its_stream_goes_on() {
        for (String[] shape : new String[][] {{"HEAD", "200"}, {"GET", "204"}, {"GET", "304"}}) {
            origin().answer(request -> request.head(false, ":status", shape[1]));
            try (RawHttp2Client agent = agent()) {
                RawHttp2Client.Answer answer = agent.answer(agent.begin(head(shape[0], "/v1/x")));
                assertThat(answer.status()).isEqualTo(Integer.parseInt(shape[1]));
                assertThat(answer.ended()).isTrue();
                Awaitility.await().until(() -> hop.flows().running() == 0);
            }
            assertThat(hop.entries("outcome")).isNotEmpty();
        }
        Awaitility.await().until(() -> origin().frames(Http2Frame.RST_STREAM).size() == 3);
    }
}
