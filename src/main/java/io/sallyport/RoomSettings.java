package io.sallyport;

import io.sallyport.grant.GrantSettings;
import io.sallyport.net.NetSettings;
import io.sallyport.store.StoreSettings;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Each room's own settings, cut out of the bound ones. */
@Configuration(proxyBeanMethods = false)
class RoomSettings {

    @Bean
    GrantSettings grantSettings(Settings settings) {
        return new GrantSettings(settings.issuer().toString());
    }

    @Bean
    NetSettings netSettings(Settings settings) {
        return new NetSettings(settings.proxy().nameServers());
    }

    @Bean
    StoreSettings storeSettings(Settings settings, Environment environment) {
        return new StoreSettings(
                settings.data(), environment.getProperty("spring.datasource.url"), settings.keyPlace());
    }
}
