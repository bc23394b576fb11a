package io.sallyport.testing;

import static io.sallyport.testing.Http2Frame.END_HEADERS;
import static io.sallyport.testing.Http2Frame.END_STREAM;
import static io.sallyport.testing.Http2Frame.HEADERS;

import java.util.ArrayList;
import java.util.List;

/** A {@link Caller} in HTTP/2, each request on a stream of its own. */
final class Http2Caller implements Caller {

    private final TestHop hop;
    private final Door door;
    private final String token;
    private final RawHttp2Client agent;

    Http2Caller(TestHop hop, Door door, String token, RawHttp2Client agent) {
        this.hop = hop;
        this.door = door;
        this.token = token;
        this.agent = agent;
    }

    @Override
    public Reply ask(Ask ask) {
        return Reply.of(agent.answer(say(ask)));
    }

    @Override
    public void leave(Ask ask) {
        say(ask);
        close();
    }

    private int say(Ask ask) {
        String[] lines = lines(ask);
        byte[] content = ask.content();
        if (content == null) {
            return agent.get(lines);
        }
        int stream = agent.begin(lines);
        boolean trailing = !ask.trailers().isEmpty();
        agent.dataWhole(stream, content, !trailing);
        if (trailing) {
            agent.frame(
                    HEADERS,
                    END_HEADERS | END_STREAM,
                    stream,
                    RawHttp2Client.headers(Ask.inTurn(ask.trailers()).toArray(String[]::new)));
        }
        return stream;
    }

    private String[] lines(Ask ask) {
        boolean gateway = door.gateway();
        List<String> lines = new ArrayList<>(List.of(
                ":method",
                ask.method(),
                ":scheme",
                gateway ? "http" : door.scheme(),
                ":authority",
                gateway ? "localhost:" + hop.port() : door.authority(hop),
                ":path",
                gateway ? door.gatewayPath(ask) : ask.path()));
        if (gateway) {
            lines.addAll(List.of("x-api-key", token));
        } else if (door.forwards()) {
            lines.addAll(List.of("proxy-authorization", RawClient.basic(token)));
        }
        lines.addAll(Ask.inTurn(ask.fields()));
        if (ask.says() >= 0) {
            lines.addAll(List.of("content-length", Long.toString(ask.says())));
        }
        return lines.toArray(String[]::new);
    }

    @Override
    public void close() {
        agent.close();
    }
}
