package io.sallyport;

import io.sallyport.DoorsWiring.OperatorConnector;
import io.sallyport.proxy.HopLifecycle;
import io.sallyport.rules.RuleBooks;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Says once, when everything is up, where each door is. */
@Component
class Greeting {

    private static final Logger LOG = LoggerFactory.getLogger(Sallyport.class);

    private final Settings settings;
    private final OperatorConnector operator;
    private final HopLifecycle hop;
    private final RuleBooks books;
    private final Environment environment;

    Greeting(
            Settings settings, OperatorConnector operator, HopLifecycle hop, RuleBooks books, Environment environment) {
        this.settings = settings;
        this.operator = operator;
        this.hop = hop;
        this.books = books;
        this.environment = environment;
    }

    @EventListener
    void up(ApplicationReadyEvent event) {
        Duration taken = event.getTimeTaken();
        LOG.info("Sallyport is up after {} s", taken == null ? "?" : "%.1f".formatted(taken.toMillis() / 1000.0));
        LOG.info("agent door       {}", url("server.address", "local.server.port", "server.ssl"));
        LOG.info("hop              http://{}:{}", bracketed(settings.proxy().bind()), hop.port());
        LOG.info(
                "operator door    {}://{}:{}/console",
                settings.operator().tlsBundle() == null ? "http" : "https",
                bracketed(settings.operator().bind()),
                operator.port());
        LOG.info(
                "management door  {}/actuator/health",
                url("management.server.address", "local.management.port", "management.server.ssl"));
        if (books.current().documents().isEmpty()) {
            LOG.warn(
                    "There are no documents in {} yet, so nothing can be exchanged and nothing leaves."
                            + " Write some (docs/how-to/write-a-policy.md), then: sallyport rules reload",
                    settings.rules());
        }
    }

    private String url(String address, String port, String ssl) {
        return "%s://%s:%s"
                .formatted(
                        DoorsWiring.hasTls(environment, ssl) ? "https" : "http",
                        bracketed(environment.getProperty(address, "127.0.0.1")),
                        environment.getProperty(port, "?"));
    }

    private static String bracketed(String host) {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }
}
