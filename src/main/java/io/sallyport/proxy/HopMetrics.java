package io.sallyport.proxy;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sallyport.proxy.tls.MintedLeaves;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What the hop counts, for whoever watches it. Labels are closed lists: none holds a name that a workload or a document could multiply. */
final class HopMetrics implements MeterBinder {

    /** The kinds of outcomes, as the ledger says them. */
    private static final List<String> OUTCOMES = List.of("answered", "upstream-failed", "cut", "agent-left", "refused");

    private final HopHealth health;
    private final LiveFlows flows;
    private final InterceptionRoot root;
    private final MintedLeaves leaves;

    HopMetrics(HopHealth health, LiveFlows flows, InterceptionRoot root, MintedLeaves leaves) {
        this.health = health;
        this.flows = flows;
        this.root = root;
        this.leaves = leaves;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        counter("sallyport.hop.uses", "Uses recorded", HopHealth::uses).register(registry);
        for (String kind : OUTCOMES) {
            counter("sallyport.hop.outcomes", "How uses ended", it -> it.outcomes(kind))
                    .tag("kind", kind)
                    .register(registry);
        }
        for (RefusalError error : RefusalError.values()) {
            counter("sallyport.hop.refusals", "Answers of the hop's own", it -> it.refusals(error.text()))
                    .tag("error", error.text())
                    .register(registry);
        }
        for (LedAway why : LedAway.values()) {
            counter(
                            "sallyport.hop.led.closed",
                            "Connections closed at a transparent listener, unread",
                            it -> it.ledAwayCount(why))
                    .tag("reason", why.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        counter("sallyport.hop.unrecorded", "What could not be recorded", HopHealth::unrecordedOutcomes)
                .tag("what", "outcome")
                .register(registry);
        counter("sallyport.hop.unrecorded", "What could not be recorded", HopHealth::unrecordedRefusals)
                .tag("what", "refusal")
                .register(registry);
        Gauge.builder("sallyport.hop.flows", flows, LiveFlows::running)
                .description("Requests that are running")
                .register(registry);
        Gauge.builder("sallyport.hop.upstreams", health, HopHealth::upstreams)
                .description("Connections to destinations: in use, idle or being made")
                .register(registry);
        Gauge.builder("sallyport.hop.authority.left", root, it -> it.timeLeft().toSeconds())
                .baseUnit("seconds")
                .description("Until the interception CA ends")
                .register(registry);
        FunctionCounter.builder("sallyport.hop.leaves.minted", leaves, MintedLeaves::minted)
                .description("Certificates made for intercepted hosts")
                .register(registry);
    }

    private FunctionCounter.Builder<HopHealth> counter(String name, String what, ToDoubleFunction<HopHealth> count) {
        return FunctionCounter.builder(name, health, count).description(what);
    }
}
