package io.sallyport;

import io.sallyport.DoorAddresses.Listening;
import io.sallyport.net.OwnPorts;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import org.apache.catalina.connector.Connector;
import org.apache.commons.logging.LogFactory;
import org.apache.coyote.AbstractProtocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.tomcat.SslConnectorCustomizer;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.web.server.Ssl.ClientAuth;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

/** Opens the agent door and the operator door: two connectors of one server, each answering for itself alone. */
@Configuration(proxyBeanMethods = false)
class DoorsWiring {

    @Bean
    OperatorConnector operatorConnector(Settings settings, SslBundles bundles, Environment environment) {
        DoorAddresses.check(listening(settings, environment), settings.tlsTerminatedInFront());
        return new OperatorConnector(connector(settings.operator(), bundles));
    }

    @Bean
    WebServerFactoryCustomizer<TomcatWebServerFactory> doors(OperatorConnector operator) {
        return factory -> {
            factory.addAdditionalConnectors(operator.connector());
            factory.addEngineValves(
                    new DoorValve(connector -> connector == operator.connector() ? Door.OPERATOR : Door.AGENT));
        };
    }

    /**
     * Makes each port known once it is: to the guard of all dialling, which lets no request out to a door of the broker's own; and the
     * operator's also under the name that the framework would choose, had it two doors. The management server comes here by an event of
     * its own, and the hop, which opens last, adds its port itself.
     */
    @Bean
    ApplicationListener<WebServerInitializedEvent> doorPorts(
            OperatorConnector operator, OwnPorts ports, ConfigurableEnvironment environment) {
        return started -> {
            ports.add(started.getWebServer().getPort());
            ports.add(operator.port());
            environment
                    .getPropertySources()
                    .addFirst(new MapPropertySource("operator.door", Map.of("local.operator.port", operator.port())));
        };
    }

    /** Held in a record, so that Spring sees a value and not something to start and stop on its own. */
    record OperatorConnector(Connector connector) {

        /** The port that it really listens on; -1 before it does. */
        int port() {
            return connector.getLocalPort();
        }
    }

    private static Connector connector(Settings.Operator operator, SslBundles bundles) {
        Connector connector = new Connector(TomcatWebServerFactory.DEFAULT_PROTOCOL);
        connector.setPort(operator.port());
        connector.setThrowOnFailure(true);
        connector.setXpoweredBy(false);
        if (connector.getProtocolHandler() instanceof AbstractProtocol<?> protocol) {
            protocol.setAddress(address(operator.bind()));
            protocol.setExecutor(new VirtualThreadExecutor("operator-"));
        }
        if (operator.tlsBundle() != null) {
            connector.setScheme("https");
            connector.setSecure(true);
            new SslConnectorCustomizer(LogFactory.getLog(DoorsWiring.class), connector, ClientAuth.NONE)
                    .customize(bundles.getBundle(operator.tlsBundle()), Map.of());
        }
        return connector;
    }

    private static List<Listening> listening(Settings settings, Environment environment) {
        return List.of(
                new Listening(
                        "agent",
                        "server.address",
                        environment.getProperty("server.address", "127.0.0.1"),
                        hasTls(environment, "server.ssl"),
                        true),
                new Listening(
                        "management",
                        "management.server.address",
                        environment.getProperty("management.server.address", "127.0.0.1"),
                        hasTls(environment, "management.server.ssl"),
                        true),
                new Listening("hop", "sallyport.proxy.bind", settings.proxy().bind(), false, true),
                new Listening(
                        "hop",
                        "sallyport.proxy.listeners.bind",
                        settings.proxy().listeners().bind(),
                        false,
                        true),
                new Listening(
                        "operator",
                        "sallyport.operator.bind",
                        settings.operator().bind(),
                        settings.operator().tlsBundle() != null,
                        false));
    }

    static boolean hasTls(Environment environment, String prefix) {
        return environment.getProperty(prefix + ".enabled", Boolean.class, true)
                && List.of("bundle", "certificate", "key-store").stream()
                        .anyMatch(key -> environment.containsProperty(prefix + "." + key));
    }

    private static InetAddress address(String bind) {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException e) {
            throw new StartRefused("sallyport.operator.bind: \"" + bind + "\" is no address.", e);
        }
    }
}
