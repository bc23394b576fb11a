package io.sallyport.proxy;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sallyport.grant.TaskListener;
import java.util.Map;

/** The listeners of tasks: each is a way in without a token, and there is room for so many. */
final class ListenerMetrics implements MeterBinder {

    private static final Map<String, Class<? extends TaskListener.Wanted>> KINDS = Map.of(
            "port", TaskListener.Port.class,
            "socket", TaskListener.Socket.class,
            "transparent", TaskListener.Transparent.class);

    private final OwnListeners listeners;

    ListenerMetrics(OwnListeners listeners) {
        this.listeners = listeners;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        KINDS.forEach((name, kind) -> Gauge.builder("sallyport.hop.listeners", listeners, it -> it.open(kind))
                .tag("kind", name)
                .description("Listeners of tasks that are open")
                .register(registry));
        Gauge.builder("sallyport.hop.listeners.most", listeners, OwnListeners::most)
                .description("Listeners of tasks that may be open")
                .register(registry);
    }
}
