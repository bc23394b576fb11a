package io.sallyport.identity;

import io.sallyport.net.GuardedClient;
import java.time.Clock;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The room's one bean. */
@Configuration(proxyBeanMethods = false)
class IdentityWiring {

    @Bean
    Verifiers verifiers(GuardedClient client, Clock clock, @Qualifier("nanos") LongSupplier nanos) {
        return new Verifiers(client, clock, nanos);
    }
}
