package io.sallyport.proxy;

import io.sallyport.credential.HeldSecrets;
import io.sallyport.credential.Leases;
import io.sallyport.credential.Places;
import io.sallyport.credential.TokenMarks;
import io.sallyport.grant.Grants;
import io.sallyport.ledger.Ledger;
import io.sallyport.net.Egress;
import io.sallyport.net.OwnPorts;
import io.sallyport.net.Resolver;
import io.sallyport.proxy.tls.InterceptionAuthority;
import io.sallyport.proxy.tls.LeafCertificates;
import io.sallyport.proxy.tls.Lifetimes;
import io.sallyport.proxy.tls.MintedLeaves;
import io.sallyport.proxy.wire.HopServer;
import io.sallyport.rules.RuleBooks;
import io.sallyport.store.Readers;
import io.sallyport.store.Seal;
import io.sallyport.store.SealedColumn;
import io.sallyport.store.Writer;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The hop's beans, from the faces of the rooms below. */
@Configuration(proxyBeanMethods = false)
class ProxyWiring {

    /** Hosts whose leaves are kept ready. */
    private static final int LEAVES = 10_000;

    @Bean
    HopHealth hopHealth(@Qualifier("nanos") LongSupplier nanos) {
        return new HopHealth(nanos);
    }

    @Bean
    HealthIndicator hopHealthIndicator(HopHealth health, InterceptionRoot root) {
        return () -> {
            Health.Builder said = (health.recording() ? Health.up() : Health.down())
                    .withDetail("unrecordedOutcomes", health.unrecordedOutcomes())
                    .withDetail("unrecordedRefusals", health.unrecordedRefusals())
                    .withDetail("authorityDaysLeft", root.timeLeft().toDays());
            // Not down: without interception the gateway still works, and a successor is made while the broker runs.
            root.warning().ifPresent(warning -> said.withDetail("degraded", warning));
            return said.build();
        };
    }

    @Bean
    AgentConnections agentConnections(ProxySettings settings, @Qualifier("nanos") LongSupplier nanos) {
        return new AgentConnections(settings.limits(), nanos);
    }

    @Bean
    ContentBudget contentBudget(ProxySettings settings) {
        return new ContentBudget(settings.limits());
    }

    @Bean
    LimitMetrics limitMetrics(AgentConnections connections, ContentBudget budget) {
        return new LimitMetrics(connections, budget);
    }

    @Bean
    HopMetrics hopMetrics(HopHealth health, LiveFlows flows, InterceptionRoot root, MintedLeaves leaves) {
        return new HopMetrics(health, flows, root, leaves);
    }

    @Bean(destroyMethod = "close")
    LiveFlows liveFlows(Clock clock, Grants grants, ProxySettings settings) {
        // The timer is no bean: it would take the place of the executor that Spring Boot makes where there is none.
        LiveFlows flows = new LiveFlows(
                clock,
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("flow-deadlines").factory()),
                settings.limits().requestsPerTask());
        grants.onEnded(ended -> flows.cut(ended.grant(), "revoked"));
        flows.watch(grants::stands);
        return flows;
    }

    @Bean
    InterceptionAuthority interceptionAuthority(
            Writer writer, Readers readers, Seal seal, RuleBooks books, ProxySettings settings, Clock clock) {
        var store = new InterceptionAuthority.Store(writer, readers, seal);
        var names = new InterceptedNames(books, settings.names());
        Path brought = settings.authority();
        return brought == null
                ? InterceptionAuthority.open(store, names, Lifetimes.USUAL, clock)
                : InterceptionAuthority.brought(brought, store, names, Lifetimes.USUAL, clock);
    }

    @Bean
    MintedLeaves leafCertificates(InterceptionAuthority authority, RuleBooks books, Clock clock) {
        MintedLeaves leaves = new MintedLeaves(authority, clock, LEAVES);
        books.onSwapped(book -> leaves.tidy());
        // The first leaf costs hundreds of milliseconds of class loading: not the first agent's.
        leaves.warmUp();
        return leaves;
    }

    @Bean
    static SealedColumn sealedRoots() {
        return InterceptionAuthority.SEALED_ROOTS;
    }

    @Bean
    static SealedColumn sealedIntermediates() {
        return InterceptionAuthority.SEALED_INTERMEDIATES;
    }

    @Bean
    static SealedColumn sealedSentContentKey() {
        return SentContentKey.SEALED;
    }

    @Bean
    SentContentKey sentContentKey(Writer writer, Readers readers, Seal seal) {
        return SentContentKey.open(writer, readers, seal);
    }

    @Bean
    Recorder recorder(
            Writer writer,
            Grants grants,
            Ledger ledger,
            HopHealth health,
            SentContentKey sentContent,
            ProxySettings settings,
            @Qualifier("nanos") LongSupplier nanos) {
        MaskLimit masks =
                new MaskLimit(grants, writer, ledger, settings.limits().masksPerTask());
        return new Recorder(writer, grants, ledger, Allowance.ofRefusals(nanos), health, sentContent, masks);
    }

    @Bean
    Gate gate(
            Grants grants,
            RuleBooks books,
            Leases leases,
            TokenMarks marks,
            LiveFlows flows,
            HopHealth health,
            ProxySettings settings,
            @Qualifier("nanos") LongSupplier nanos) {
        return new Gate(
                grants,
                books,
                leases,
                marks,
                flows,
                Allowance.ofStrangers(nanos),
                health,
                new Injections(settings.limits().injectedContent()));
    }

    @Bean
    BookChanges bookChanges(
            Grants grants,
            RuleBooks books,
            LiveFlows flows,
            Writer writer,
            Ledger ledger,
            HeldSecrets secrets,
            Places places) {
        places.inForce(books.current().credentials().values());
        books.onSwapped(book -> places.inForce(book.credentials().values()));
        BookChanges changes = new BookChanges(grants, books, flows, writer, ledger);
        changes.recall();
        books.onSwapped(changes::swapped);
        // After the flows that the new book does not allow were cut: nothing runs on what is given back.
        books.onSwapped(book -> secrets.inForce(book.credentials().values()));
        return changes;
    }

    @Bean
    OwnListeners ownListeners(OwnListeners.Rooms rooms, ListenerSettings settings, ProxySettings hop) {
        OwnListeners listeners = new OwnListeners(rooms, settings, told(settings.bind(), hop));
        rooms.grants().onEnded(ended -> listeners.close(ended.grant()));
        return listeners;
    }

    /** The address that clients are told; where listeners are on all of them, the hop's own name. */
    private static String told(String bind, ProxySettings hop) {
        if (new InetSocketAddress(bind, 0).getAddress().isAnyLocalAddress()) {
            return hop.names().getFirst();
        }
        return OwnListeners.written(bind);
    }

    @Bean
    OwnListeners.Rooms ownListenersRooms(Grants grants, Writer writer, Readers readers, Ledger ledger, OwnPorts ports) {
        return new OwnListeners.Rooms(grants, writer, readers, ledger, ports);
    }

    @Bean
    ListenerMetrics listenerMetrics(OwnListeners listeners) {
        return new ListenerMetrics(listeners);
    }

    @Bean(destroyMethod = "close")
    FallenListeners fallenListeners(OwnListeners listeners) {
        return new FallenListeners(listeners);
    }

    @Bean
    HopLifecycle hop(
            RuleBooks books,
            Grants grants,
            Gate gate,
            Recorder recorder,
            HopHealth health,
            AgentConnections connections,
            ContentBudget budget,
            LeafCertificates leaves,
            Resolver resolver,
            Egress egress,
            ProxySettings settings,
            @Qualifier("nanos") LongSupplier nanos,
            OwnPorts ports,
            OwnListeners own,
            ListenerSettings listeners) {
        HopServer.Rooms rooms = new HopServer.Rooms(
                new Reception(books, grants, settings.names()),
                gate,
                recorder,
                health,
                connections,
                budget,
                leaves,
                resolver,
                egress);
        HopLifecycle hop = new HopLifecycle(rooms, settings, nanos, ports, new HopLifecycle.Listeners(own, listeners));
        books.onSwapped(hop::swapped);
        return hop;
    }
}
