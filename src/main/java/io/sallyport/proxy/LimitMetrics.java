package io.sallyport.proxy;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sallyport.proxy.AgentConnections.Bound;
import java.util.Locale;

/** Who holds the hop, and whom its limits met. */
final class LimitMetrics implements MeterBinder {

    private final AgentConnections connections;
    private final ContentBudget budget;

    LimitMetrics(AgentConnections connections, ContentBudget budget) {
        this.connections = connections;
        this.budget = budget;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("sallyport.hop.connections", connections, AgentConnections::strangers)
                .tag("kind", "stranger")
                .description("Connections of agents")
                .register(registry);
        Gauge.builder("sallyport.hop.connections", connections, it -> Math.max(0, it.held() - it.strangers()))
                .tag("kind", "known")
                .description("Connections of agents")
                .register(registry);
        for (Bound bound : Bound.values()) {
            FunctionCounter.builder("sallyport.hop.connections.closed", connections, it -> it.turnedAway(bound))
                    .tag("limit", bound.name().toLowerCase(Locale.ROOT))
                    .description("Connections turned away, or closed to make room")
                    .register(registry);
        }
        Gauge.builder("sallyport.hop.content.held", budget, ContentBudget::held)
                .baseUnit("bytes")
                .description("Content of requests that is held")
                .register(registry);
    }
}
