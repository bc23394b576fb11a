package io.sallyport.net;

import java.util.function.LongSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans of the one guard for all dialling. */
@Configuration(proxyBeanMethods = false)
class NetWiring {

    @Bean
    OwnPorts ownPorts() {
        return new OwnPorts();
    }

    @Bean
    AddressGuard addressGuard(OwnPorts ownPorts) {
        return new ReservedAddressGuard(ownPorts::contains);
    }

    @Bean
    NameSource nameSource(NetSettings settings) {
        return settings.nameServers().isEmpty() ? new SystemNames() : new NameServers(settings.nameServers());
    }

    @Bean
    Resolver resolver(NameSource nameSource, NetSettings settings, LongSupplier nanos) {
        return new CachingResolver(nameSource, settings, nanos);
    }

    @Bean
    Egress egress(AddressGuard addressGuard, NetSettings settings) {
        return new Egress(addressGuard, settings.proxy());
    }

    @Bean
    GuardedHttpClient guardedClient(Resolver resolver, Egress egress, NetSettings settings) {
        return new GuardedHttpClient(resolver, egress, settings.trust());
    }
}
