package io.sallyport.proxy.wire;

import io.netty.channel.EventLoop;
import io.sallyport.http.Origin;
import io.sallyport.net.Egress;
import io.sallyport.net.ProxyFault;
import io.sallyport.net.Resolver;
import io.sallyport.net.UpstreamProxy;
import io.sallyport.net.Way;
import io.sallyport.proxy.Admission;
import io.sallyport.proxy.HopHealth;
import io.sallyport.proxy.ProxySettings;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Gets a connection for an admitted request. The name is resolved and its addresses judged for each request, also when a pooled connection
 * would do: the address that was judged is the address that is dialled.
 */
final class Dialler {

    /** Who waits for it, on the flow's own thread. */
    interface Waiting {
        void ready(UpstreamStream connection, boolean fresh);

        void failed(Refusal refusal);

        /** Whether anybody still waits. */
        boolean waits();
    }

    /** Each may take the whole deadline of a dial: a name with many that are silent must not keep somebody waiting for an hour. */
    private static final int MOST_TRIED = 6;

    private final Resolver resolver;
    private final Egress egress;
    private final UpstreamTls tls;
    private final Transport transport;
    private final ProxySettings settings;
    private final HopHealth health;

    Dialler(
            Resolver resolver,
            Egress egress,
            UpstreamTls tls,
            Transport transport,
            ProxySettings settings,
            HopHealth health) {
        this.resolver = resolver;
        this.egress = egress;
        this.tls = tls;
        this.transport = transport;
        this.settings = settings;
        this.health = health;
    }

    /** @param fresh true when a pooled connection won't do */
    void connect(Admission admission, boolean fresh, EventLoop loop, UpstreamPool pool, Waiting waiting) {
        Attempt attempt = new Attempt(admission, fresh, loop, pool, waiting);
        String host = admission.outgoing().origin().host();
        // Nearly always the answer is kept, and then the thread is not left and no stage is made.
        Resolver.Resolution known = resolver.known(host);
        if (known != null) {
            attempt.resolved(known, null);
        } else {
            OnLoop.then(asked(host), loop, attempt::resolved);
        }
    }

    /** A fault of the resolver is an answer like any other: somebody waits for one. */
    private CompletionStage<Resolver.Resolution> asked(String host) {
        try {
            return resolver.resolve(host);
        } catch (RuntimeException fault) {
            return CompletableFuture.failedFuture(fault);
        }
    }

    private static Refusal unavailable(String cause) {
        return Refusal.of(RefusalError.UNAVAILABLE, "the broker can't serve this just now")
                .because(cause);
    }

    /** One request's way through the addresses that were judged, in their order. */
    private final class Attempt {
        private final Admission admission;
        private final Origin origin;
        private final boolean fresh;
        private final EventLoop loop;
        private final UpstreamPool pool;
        private final Waiting waiting;
        private List<Way> ways = List.of();
        private UpstreamTls.@Nullable Client client;

        Attempt(Admission admission, boolean fresh, EventLoop loop, UpstreamPool pool, Waiting waiting) {
            this.admission = admission;
            this.origin = admission.outgoing().origin();
            this.fresh = fresh;
            this.loop = loop;
            this.pool = pool;
            this.waiting = waiting;
        }

        void resolved(Resolver.@Nullable Resolution resolution, @Nullable Throwable fault) {
            if (resolution == null) {
                Hop.fault(fault);
                waiting.failed(unavailable("the resolver failed"));
                return;
            }
            if (resolution instanceof Resolver.Resolution.Resolved(List<InetAddress> found)) {
                pool.heard(origin, found);
            }
            plan(resolution);
        }

        private void plan(Resolver.Resolution resolution) {
            switch (planned(resolution)) {
                case Egress.Plan.Ways(List<Way> found) -> {
                    ways = found;
                    start();
                }
                case Egress.Plan.Forbidden(String reason) ->
                    waiting.failed(Refusal.of(RefusalError.ADDRESS_FORBIDDEN, reason));
                case Egress.Plan.Unresolved(String reason) ->
                    waiting.failed(
                            Refusal.of(RefusalError.NAME_UNRESOLVED, "the host name can't be resolved: " + reason));
                case null -> waiting.failed(unavailable("the addresses could not be judged"));
            }
        }

        /** @return null where the guard itself failed, which allows nothing */
        private Egress.@Nullable Plan planned(Resolver.Resolution resolution) {
            try {
                return egress.plan(origin, resolution, admission.route().permitted());
            } catch (RuntimeException fault) {
                Hop.fault(fault);
                return null;
            }
        }

        private void start() {
            if (unread()) {
                dial(0);
                return;
            }
            boolean http1 = http1();
            for (Way way : ways) {
                UpstreamStream pooled = fresh ? null : pooled(key(way), http1);
                if (pooled != null) {
                    waiting.ready(pooled, false);
                    return;
                }
            }
            if (!origin.secure()) {
                dial(0);
                return;
            }
            OnLoop.then(tls.client(admission.route()), loop, (made, fault) -> {
                if (made == null) {
                    Hop.fault(fault);
                    waiting.failed(unavailable("TLS with the roots or the client's certificate can't be set up"));
                } else {
                    client = made;
                    dial(0);
                }
            });
        }

        private @Nullable UpstreamStream pooled(UpstreamKey key, boolean http1) {
            return admission.handshake() == null ? pool.take(key, http1) : pool.takeForSocket(key);
        }

        /** A tunnel that is passed through has a connection of its own, without TLS of ours. */
        private boolean unread() {
            return !admission.scope().intercept();
        }

        private Dial.Speech speech() {
            return unread() ? Dial.Speech.UNREAD : http1() ? Dial.Speech.HTTP_1 : Dial.Speech.EITHER;
        }

        /** A connection that is to become another protocol's can't be shared. */
        private boolean http1() {
            return admission.handshake() != null || pool.versions().refusesHttp2(origin);
        }

        private UpstreamKey key(Way way) {
            return new UpstreamKey(
                    origin,
                    way,
                    admission.credentialVersion(),
                    admission.route().terms());
        }

        /** Joins a dial that is on its way, where it may turn out to serve many; where it can't, everybody dials. */
        private void dial(int index) {
            UpstreamKey key = key(ways.get(index));
            Dial running =
                    speech() != Dial.Speech.EITHER || pool.versions().lastWasHttp1(origin) ? null : pool.dialling(key);
            Dial.Waiter waiter = new Address(index);
            if (running == null || !running.join(waiter)) {
                Dial dial = new Dial(key, pool, client, transport, settings.deadlines(), health, speech());
                dial.join(waiter);
                begin(dial, key.way());
            }
        }

        private void begin(Dial dial, Way way) {
            UpstreamProxy proxy = way.proxied() ? egress.proxy() : null;
            InetAddress address = way.address();
            if (proxy != null) {
                dial.hold();
                OnLoop.then(
                        asked(proxy.place().host()),
                        loop,
                        (resolution, fault) -> through(dial, proxy, peers(proxy, resolution)));
            } else if (address != null) {
                dial.start(loop, List.of(new InetSocketAddress(address, origin.port())), null);
            } else {
                dial.fail(new IOException("a way without an address"));
            }
        }

        /** @return where the proxy is, in words where it is not to be had */
        private Egress.Plan peers(UpstreamProxy proxy, Resolver.@Nullable Resolution resolution) {
            try {
                return egress.toProxy(
                        proxy, resolution == null ? new Resolver.Resolution.Failed("the resolver failed") : resolution);
            } catch (RuntimeException fault) {
                Hop.fault(fault);
                return new Egress.Plan.Unresolved("the addresses could not be judged");
            }
        }

        private void through(Dial dial, UpstreamProxy proxy, Egress.Plan plan) {
            switch (plan) {
                case Egress.Plan.Ways(List<Way> found) ->
                    dial.start(
                            loop,
                            found.stream()
                                    .map(way -> new InetSocketAddress(way.address(), proxy.port()))
                                    .toList(),
                            new Dial.Tunnel(proxy, tls.usual()));
                case Egress.Plan.Forbidden(String reason) -> dial.fail(ProxyFault.unreachable(new IOException(reason)));
                case Egress.Plan.Unresolved(String reason) ->
                    dial.fail(ProxyFault.unreachable(new IOException(reason)));
            }
        }

        private void next(int index, Throwable fault) {
            boolean last = fault instanceof ProxyFault proxy && !proxy.retryable();
            if (!last && index + 1 < Math.min(ways.size(), MOST_TRIED) && waiting.waits()) {
                dial(index + 1);
            } else {
                waiting.failed(UpstreamFaults.connecting(fault));
            }
        }

        /** Waits for a connection to one of the addresses. */
        private final class Address implements Dial.Waiter {
            private final int index;

            Address(int index) {
                this.index = index;
            }

            @Override
            public void dialled(Dialled result) {
                switch (result) {
                    case Dialled.Http1(Http1Upstream connection) -> waiting.ready(connection, true);
                    case Dialled.Unread(BlindUpstream connection) -> waiting.ready(connection, true);
                    case Dialled.Http2(Http2Upstream connection)
                    when connection.takesAnother() -> waiting.ready(connection.another(), true);
                    case Dialled.Http2 ignored -> dial(index);
                    case Dialled.Taken ignored -> dial(index);
                    case Dialled.Failed(Throwable fault) -> next(index, fault);
                }
            }

            @Override
            public boolean waits() {
                return waiting.waits();
            }
        }
    }
}
