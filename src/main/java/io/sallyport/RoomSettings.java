package io.sallyport;

import io.sallyport.grant.GrantSettings;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Each room's own settings, cut out of the bound ones. */
@Configuration(proxyBeanMethods = false)
class RoomSettings {

    @Bean
    GrantSettings grantSettings(Settings settings) {
        return new GrantSettings(settings.issuer().toString());
    }
}
