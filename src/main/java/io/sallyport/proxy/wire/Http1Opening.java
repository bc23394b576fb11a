package io.sallyport.proxy.wire;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.sallyport.grant.Grant;
import io.sallyport.http.RequestHead;
import io.sallyport.proxy.Entrance;
import io.sallyport.proxy.RawHead;
import io.sallyport.proxy.Received;
import io.sallyport.proxy.Recognised;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import org.jspecify.annotations.Nullable;

/** What a head on an HTTP/1 connection opens: a tunnel, a request of a recognised grant, or a refusal. */
final class Http1Opening {

    private final Hop hop;
    private final Entrance entrance;
    private final Http1AgentHandler connection;

    Http1Opening(Hop hop, Entrance entrance, Http1AgentHandler connection) {
        this.hop = hop;
        this.entrance = entrance;
        this.connection = connection;
    }

    /** @param text of the head, in which the sender of a malformed one is looked for */
    void receive(RawHead raw, String text) {
        switch (hop.reception().receive(raw, entrance)) {
            case Received.Tunnel(String host, int port, String token) ->
                new TunnelOpening(hop, connecting(Persistence.of(raw))).open(host, port, token);
            case Received.Forward(RequestHead head, String token) ->
                recognised(raw, head, token, RefusalError.GRANT_REQUIRED, null);
            case Received.Inside(RequestHead head, Grant grant) -> start(raw, head, grant, null);
            case Received.Gateway gateway -> gateway(raw, gateway);
            case Received.OwnTunnel(String host, int port, Grant grant) ->
                new TunnelOpening(hop, connecting(Persistence.of(raw))).open(host, port, grant);
            case Received.OwnGateway(RequestHead head, Grant grant, String policy, String scope) -> {
                if (head == null) {
                    connection.refuse(
                            raw.method(), Refusal.noScope(policy, scope, grant).closing(), grant);
                } else {
                    start(raw, head, grant, policy + ":" + scope);
                }
            }
            case Received.Malformed(Refusal refusal, Grant grant) ->
                connection.refuse(raw.method(), refusal, grant == null ? connection.sender(text) : grant);
        }
    }

    private TunnelOpening.Agent connecting(Persistence persistence) {
        return new TunnelOpening.Agent() {
            @Override
            public Channel channel() {
                return connection.channel();
            }

            @Override
            public EventLoop loop() {
                return channel().eventLoop();
            }

            @Override
            public boolean waits() {
                return channel().isActive();
            }

            @Override
            public void opened(Entrance.Tunnel tunnel) {
                connection.becomeTunnel(tunnel);
            }

            @Override
            public void passedThrough(Grant grant, String host, int port) {
                connection.becomeBlind(grant, host, port);
            }

            @Override
            public void refused(Refusal refusal) {
                Persistence then = persistence.orClose(refusal.close());
                connection.writeRefusal(refusal, "CONNECT", then);
                connection.next(then.closes());
            }
        };
    }

    private void gateway(RawHead raw, Received.Gateway asked) {
        if (asked.head() != null) {
            recognised(raw, asked.head(), asked.token(), RefusalError.GATEWAY_GRANT_REQUIRED, asked);
            return;
        }
        switch (hop.recognise(connection.channel(), asked.token(), RefusalError.GATEWAY_GRANT_REQUIRED)) {
            case Recognised.Stranger(Refusal refusal) -> connection.answer(raw.method(), refusal.closing());
            case Recognised.Live(Grant grant) ->
                connection.refuse(
                        raw.method(),
                        Refusal.noScope(asked.policy(), asked.scope(), grant).closing(),
                        grant);
        }
    }

    private void recognised(
            RawHead raw,
            RequestHead head,
            @Nullable String token,
            RefusalError challenge,
            Received.@Nullable Gateway gateway) {
        switch (hop.recognise(connection.channel(), token, challenge)) {
            case Recognised.Live(Grant grant) ->
                start(raw, head, grant, gateway == null ? null : gateway.policy() + ":" + gateway.scope());
            // Answered, not recorded, and the connection can go on.
            case Recognised.Stranger(Refusal refusal) ->
                connection.begin(raw, new Asked(head, raw.expectsContinue())).refuse(refusal);
        }
    }

    /** @param named {@code POLICY:SCOPE} of a gateway path; null elsewhere */
    private void start(RawHead raw, RequestHead head, Grant grant, @Nullable String named) {
        Asked asked = new Asked(head, raw.expectsContinue());
        Http1Turn started = connection.begin(raw, asked);
        RequestRun run = new RequestRun(hop, started, asked);
        started.serve(run.request());
        run.start(grant, named);
    }
}
