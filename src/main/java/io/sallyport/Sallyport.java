package io.sallyport;

import io.sallyport.cli.Cli;
import java.security.Security;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan;

/** The broker, and the door to its command line: what the jar's arguments ask for. */
@SpringBootApplication
@ComponentScan(resourcePattern = Sallyport.COMPONENTS)
public class Sallyport {

    /**
     * The names by which Spring finds its components. Left alone it opens every class file of the house at each start to look for an
     * annotation, which is a tenth of the time to ready.
     */
    static final String COMPONENTS = "**/{name:.*(?:Wiring|Controller|Pages?|Advice"
            + "|RoomSettings|OpenApiDocument|Greeting|ErrorAnswers)}.class";

    /** Settings alone start the broker; anything else is the command line's. */
    public static void main(String[] args) {
        // Names are kept by the net room, for as long as settings say; the JDK's own memory below it would add half a
        // minute.
        Security.setProperty("networkaddress.cache.ttl", "0");
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
        if (Arrays.stream(args).allMatch(argument -> argument.startsWith("--") && argument.contains("."))) {
            broker(List.of(args));
        } else {
            System.exit(Cli.run(args, settings -> broker(settings)::close, Clock.systemUTC()));
        }
    }

    /**
     * Starts a broker in this process.
     *
     * @param settings as on a command line, {@code --sallyport.data=…}
     * @return when it is ready; closing it stops it
     */
    static ConfigurableApplicationContext broker(List<String> settings) {
        SpringApplication broker = new SpringApplication(Sallyport.class);
        broker.addListeners(new WireLogs.Installer());
        return broker.run(settings.toArray(String[]::new));
    }
}
