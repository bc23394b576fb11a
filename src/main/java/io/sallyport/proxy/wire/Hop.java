package io.sallyport.proxy.wire;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.sallyport.grant.Grant;
import io.sallyport.proxy.AgentConnections;
import io.sallyport.proxy.ContentBudget;
import io.sallyport.proxy.Gate;
import io.sallyport.proxy.HopHealth;
import io.sallyport.proxy.ProxySettings;
import io.sallyport.proxy.Reception;
import io.sallyport.proxy.Recognised;
import io.sallyport.proxy.Recorder;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.RefusedRequest;
import io.sallyport.proxy.tls.LeafCertificates;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What every connection of the hop works with.
 *
 * @param offload for what takes longer than an event loop may be kept
 * @param clock monotonic, in nanoseconds
 * @param agents every connection of agents, and every tunnel on a stream
 */
record Hop(
        Reception reception,
        Gate gate,
        Recorder recorder,
        HopHealth health,
        AgentConnections connections,
        ContentBudget budget,
        LeafCertificates leaves,
        Dialler dialler,
        HopTls tls,
        ProxySettings settings,
        Executor offload,
        LongSupplier clock,
        Map<EventLoop, UpstreamPool> pools,
        ChannelGroup agents) {

    private static final Logger LOG = LoggerFactory.getLogger(Hop.class);

    /**
     * Whose token this is, on this connection; and whether the task may have one more.
     *
     * @param challenge what a stranger is told: 407 at the hop, 401 at the gateway
     */
    Recognised recognise(Channel channel, @Nullable String token, RefusalError challenge) {
        AgentConnection connection = AgentConnection.of(channel);
        Recognised recognised = gate.recognise(token, connection.source(), challenge);
        if (recognised instanceof Recognised.Live(Grant grant) && !connection.recognised(grant)) {
            Refusal full = fullOfTask().closing();
            recorder.refused(grant, RefusedRequest.unread("", ""), full);
            return new Recognised.Stranger(full);
        }
        return recognised;
    }

    static Refusal fullOfTask() {
        return Refusal.of(
                        RefusalError.TOO_MANY_CONNECTIONS,
                        "the task has as many connections as it may, or has flooded those that it had")
                .after(Duration.ofSeconds(1));
    }

    UpstreamPool pool(EventLoop loop) {
        return Objects.requireNonNull(pools.get(loop), "a loop of another group");
    }

    long nanos() {
        return clock.getAsLong();
    }

    /** Without their messages: some quote what a peer sent, and that may be a token, or a secret that came back. */
    private static String kinds(Throwable fault) {
        StringBuilder kinds = new StringBuilder(fault.getClass().getName());
        for (Throwable cause = fault.getCause(); cause != null; cause = cause.getCause()) {
            kinds.append(", by ").append(cause.getClass().getName());
        }
        return kinds.toString();
    }

    /** Connections break all day; anything else is a fault of ours. */
    static void fault(@Nullable Throwable cause) {
        if (cause instanceof IOException || cause instanceof io.netty.handler.codec.DecoderException) {
            LOG.debug("a connection broke: {}", kinds(cause));
        } else {
            LOG.error("a fault on a connection: it is closed", cause);
        }
    }
}
