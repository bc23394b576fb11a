package io.sallyport.proxy.wire;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.sallyport.grant.Grant;
import io.sallyport.proxy.Entrance;
import io.sallyport.proxy.Recognised;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.RefusedRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A CONNECT: recognised, decided by host, its leaf minted (unless it is to be passed through), and only then answered with 200. */
final class TunnelOpening {

    /** Whoever asked for the tunnel, in whichever version of HTTP. */
    interface Agent {
        /** Of the connection. */
        Channel channel();

        EventLoop loop();

        boolean waits();

        /** The answer is 200, and what follows is the tunnel's. */
        void opened(Entrance.Tunnel tunnel);

        /** The answer is 200, and what follows is passed through unread. */
        void passedThrough(Grant grant, String host, int port);

        void refused(Refusal refusal);
    }

    private final Hop hop;
    private final Agent agent;

    TunnelOpening(Hop hop, Agent agent) {
        this.hop = hop;
        this.agent = agent;
    }

    void open(String host, int port, @Nullable String token) {
        switch (hop.recognise(agent.channel(), token, RefusalError.GRANT_REQUIRED)) {
            case Recognised.Stranger(Refusal refusal) -> refuse(refusal);
            case Recognised.Live(Grant grant) -> open(host, port, grant);
        }
    }

    void open(String host, int port, Grant grant) {
        Optional<Refusal> no = hop.gate().tunnel(grant, host, port);
        if (no.isPresent()) {
            record(grant, host, port, no.get());
        } else if (hop.gate().passesThrough(grant, host, port)) {
            agent.passedThrough(grant, host, port);
        } else {
            mint(grant, host, port);
        }
    }

    private void record(Grant grant, String host, int port, Refusal refusal) {
        OnLoop.then(
                hop.recorder().refused(grant, RefusedRequest.tunnel(host, port), refusal),
                agent.loop(),
                (entered, fault) -> refuse(entered == null ? refusal : entered));
    }

    private void mint(Grant grant, String host, int port) {
        Minting.leaf(hop, agent.loop(), host, no -> {
            if (no == null) {
                opened(grant, host, port);
            } else {
                record(grant, host, port, no);
            }
        });
    }

    private void opened(Grant grant, String host, int port) {
        if (agent.waits()) {
            agent.opened(new Entrance.Tunnel(grant, host, port, false, null));
        }
    }

    private void refuse(Refusal refusal) {
        agent.refused(refusal);
    }
}
