package io.sallyport;

import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The broker, and the door to its command line: what the jar's arguments ask for. */
@SpringBootApplication
public class Sallyport {

    public static void main(String[] args) {
        broker(List.of(args));
    }

    /**
     * Starts a broker in this process.
     *
     * @param settings as on a command line, {@code --sallyport.data=…}
     * @return when it is ready; closing it stops it
     */
    static ConfigurableApplicationContext broker(List<String> settings) {
        return SpringApplication.run(Sallyport.class, settings.toArray(String[]::new));
    }
}
