package io.sallyport.proxy.wire;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.sallyport.grant.Grant;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Parsed;
import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import io.sallyport.proxy.Entrance;
import io.sallyport.proxy.Received;
import io.sallyport.proxy.Recognised;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.RefusedRequest;
import io.sallyport.proxy.StreamHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request that begins on an HTTP/2 connection: read, received, recognised, and then run; or answered with a "no" of its own. */
final class StreamOpening {

    private static final int TARGET_LIMIT = 8 * 1024;

    private final Hop hop;
    private final Http2AgentHandler connection;
    private final Entrance entrance;

    StreamOpening(Hop hop, Http2AgentHandler connection, Entrance entrance) {
        this.hop = hop;
        this.connection = connection;
        this.entrance = entrance;
    }

    /** @param ended whether the stream ended with its head */
    void open(Http2AgentStream stream, List<Field> lines, boolean ended) {
        switch (StreamHeadReader.request(lines, ended)) {
            case Parsed.Malformed<StreamHead>(String reason) ->
                refuse(stream, "", Refusal.of(RefusalError.MALFORMED, reason), sender(lines));
            case Parsed.Valid<StreamHead>(StreamHead head) -> {
                boolean expects = head.fields()
                        .first("expect")
                        .map(value -> value.equalsIgnoreCase("100-continue"))
                        .orElse(false);
                stream.asks(head.method(), head.framing(), expects);
                if (head.path() != null && head.path().length() > TARGET_LIMIT) {
                    refuse(
                            stream,
                            head.method(),
                            Refusal.of(RefusalError.TARGET_TOO_LONG, "the target is longer than 8 KiB"),
                            sender(lines));
                } else {
                    receive(stream, head, expects);
                }
            }
        }
    }

    /** Of a head that was not even kept. */
    void refuseUnread(Http2AgentStream stream, Refusal refusal) {
        refuse(stream, "", refusal, entrance.grant());
    }

    private void receive(Http2AgentStream stream, StreamHead head, boolean expects) {
        switch (hop.reception().receive(head, entrance)) {
            case Received.Tunnel(String host, int port, String token) ->
                new TunnelOpening(hop, new Connecting(stream)).open(host, port, token);
            case Received.OwnTunnel(String host, int port, Grant grant) ->
                new TunnelOpening(hop, new Connecting(stream)).open(host, port, grant);
            case Received.Forward(RequestHead asked, String token) ->
                recognised(stream, new Asked(asked, expects), token, RefusalError.GRANT_REQUIRED, null);
            case Received.Inside(RequestHead asked, Grant grant) ->
                start(stream, new Asked(asked, expects), grant, null);
            case Received.Gateway gateway -> gateway(stream, head, gateway, expects);
            case Received.OwnGateway(RequestHead asked, Grant grant, String policy, String scope) -> {
                if (asked == null) {
                    refuse(stream, head.method(), Refusal.noScope(policy, scope, grant), grant);
                } else {
                    start(stream, new Asked(asked, expects), grant, policy + ":" + scope);
                }
            }
            case Received.Malformed(Refusal refusal, Grant grant) ->
                refuse(stream, head.method(), refusal, grant == null ? sender(head.fields()) : grant);
        }
    }

    private void gateway(Http2AgentStream stream, StreamHead head, Received.Gateway asked, boolean expects) {
        if (asked.head() != null) {
            recognised(
                    stream,
                    new Asked(asked.head(), expects),
                    asked.token(),
                    RefusalError.GATEWAY_GRANT_REQUIRED,
                    asked.policy() + ":" + asked.scope());
            return;
        }
        switch (hop.recognise(connection.channel(), asked.token(), RefusalError.GATEWAY_GRANT_REQUIRED)) {
            case Recognised.Stranger(Refusal refusal) -> stream.refuse(refusal);
            case Recognised.Live(Grant grant) ->
                refuse(stream, head.method(), Refusal.noScope(asked.policy(), asked.scope(), grant), grant);
        }
    }

    private void recognised(
            Http2AgentStream stream,
            Asked asked,
            @Nullable String token,
            RefusalError challenge,
            @Nullable String named) {
        switch (hop.recognise(connection.channel(), token, challenge)) {
            case Recognised.Live(Grant grant) -> start(stream, asked, grant, named);
            case Recognised.Stranger(Refusal refusal) -> stream.refuse(refusal);
        }
    }

    /** Whose it was is worth an entry, as with every other refusal to a known grant. */
    private @Nullable Grant sender(Iterable<Field> lines) {
        Grant grant = entrance.grant();
        if (grant != null) {
            return grant;
        }
        StringBuilder text = new StringBuilder();
        for (Field line : lines) {
            text.append(line.name()).append(": ").append(line.value()).append("\r\n");
        }
        return hop.gate()
                .sender(
                        text.toString(),
                        AgentConnection.of(connection.channel()).source())
                .orElse(null);
    }

    private void start(Http2AgentStream stream, Asked asked, Grant grant, @Nullable String named) {
        RequestRun run = new RequestRun(hop, stream, asked);
        stream.serve(run.request());
        run.start(grant, named);
    }

    /** Recorded where it is known whose request it was. */
    private void refuse(Http2AgentStream stream, String method, Refusal refusal, @Nullable Grant grant) {
        if (grant == null) {
            stream.refuse(refusal);
            return;
        }
        OnLoop.then(
                hop.recorder().refused(grant, RefusedRequest.unread(method, entrance.destination()), refusal),
                connection.loop(),
                (entered, fault) -> stream.refuse(entered == null ? refusal : entered));
    }

    /** A CONNECT on a stream. */
    private final class Connecting implements TunnelOpening.Agent {

        private final Http2AgentStream stream;

        Connecting(Http2AgentStream stream) {
            this.stream = stream;
        }

        @Override
        public Channel channel() {
            return connection.channel();
        }

        @Override
        public EventLoop loop() {
            return connection.loop();
        }

        @Override
        public boolean waits() {
            return stream.waits();
        }

        @Override
        public void opened(Entrance.Tunnel tunnel) {
            StreamChannel channel = new StreamChannel(connection.channel(), stream);
            if (!AgentConnection.seatTunnel(hop, channel, connection.loop(), tunnel.grant())) {
                refused(tunnel.grant(), tunnel.host(), tunnel.port(), Hop.fullOfTask());
                return;
            }
            channel.pipeline().addLast(new FirstByteHandler(hop, tunnel));
            stream.head(new ResponseHead(200, "", Fields.EMPTY, new Framing.UntilClose(), false), false);
            stream.flush();
            connection.loop().register(channel);
            stream.serve(channel);
            stream.readContent();
        }

        /** What is passed through is held to the rules of a connection of its own; a stream shares one. */
        @Override
        public void passedThrough(Grant grant, String host, int port) {
            refused(
                    grant,
                    host,
                    port,
                    Refusal.of(
                            RefusalError.MALFORMED,
                            "a host that is passed through is reached by a CONNECT of HTTP/1.1"));
        }

        private void refused(Grant grant, String host, int port, Refusal refusal) {
            OnLoop.then(
                    hop.recorder().refused(grant, RefusedRequest.tunnel(host, port), refusal),
                    connection.loop(),
                    (entered, fault) -> refused(entered == null ? refusal : entered));
        }

        @Override
        public void refused(Refusal refusal) {
            stream.refuse(refusal);
        }
    }
}
