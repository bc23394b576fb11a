package io.sallyport;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The broker, and the door to its command line: what the jar's arguments ask for. */
@SpringBootApplication
public class Sallyport {

    public static void main(String[] args) {
        SpringApplication.run(Sallyport.class, args);
    }
}
