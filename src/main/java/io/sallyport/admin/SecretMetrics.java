package io.sallyport.admin;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sallyport.credential.HeldSecrets;

/** Counts what sources have not taken back. */
final class SecretMetrics implements MeterBinder {

    private final HeldSecrets secrets;

    SecretMetrics(HeldSecrets secrets) {
        this.secrets = secrets;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder(
                        "sallyport.credentials.revocations.pending",
                        secrets,
                        s -> s.pendingRevocations().size())
                .description("Secrets that their sources have not taken back yet")
                .register(registry);
        FunctionCounter.builder(
                        "sallyport.credentials.revocations.abandoned", secrets, HeldSecrets::abandonedRevocations)
                .description("Secrets that could not be given back, and end with their sources' time to live")
                .register(registry);
    }
}
