package io.sallyport;

import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

/**
 * The management door, in the context of its own that it has. Named in {@code META-INF/spring}, not found by scanning: the doors above must
 * not get this valve too.
 */
final class ManagementDoor {

    @Bean
    WebServerFactoryCustomizer<TomcatWebServerFactory> managementDoor() {
        return factory -> factory.addEngineValves(new DoorValve(connector -> Door.MANAGEMENT));
    }
}
