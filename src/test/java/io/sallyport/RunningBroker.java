package io.sallyport;

import io.sallyport.proxy.HopLifecycle;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;

/** A whole broker in this process, on free ports of the loopback, with folders of its own below one that the test gives. */
public final class RunningBroker implements AutoCloseable {

    private final Path home;
    private final ConfigurableApplicationContext context;

    private RunningBroker(Path home, ConfigurableApplicationContext context) {
        this.home = home;
        this.context = context;
    }

    /** Starts on the folders {@code data}, {@code rules}, {@code secrets} and {@code key} below the home; what is absent is made. */
    public static RunningBroker start(Path home, String... more) {
        List<String> settings = new ArrayList<>(List.of(
                "--server.port=0",
                "--management.server.port=0",
                "--sallyport.operator.port=0",
                "--sallyport.proxy.port=0",
                "--sallyport.data=" + home.resolve("data"),
                "--sallyport.rules=" + home.resolve("rules"),
                "--sallyport.secrets=" + home.resolve("secrets"),
                "--sallyport.key=file:" + home.resolve("key").resolve("master.key")));
        settings.addAll(List.of(more));
        return new RunningBroker(home, Sallyport.broker(settings));
    }

    /** Writes a file below the home that only its owner can read or write. */
    public static Path write(Path home, String name, String content) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(
                file.getParent(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(file, content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    public Path home() {
        return home;
    }

    public int agentPort() {
        return port("local.server.port");
    }

    public int operatorPort() {
        return port("local.operator.port");
    }

    public int hopPort() {
        return context.getBean(HopLifecycle.class).port();
    }

    public int managementPort() {
        return port("local.management.port");
    }

    public URI agent(String path) {
        return URI.create("http://127.0.0.1:" + agentPort() + path);
    }

    public URI operator(String path) {
        return URI.create("http://127.0.0.1:" + operatorPort() + path);
    }

    public URI management(String path) {
        return URI.create("http://127.0.0.1:" + managementPort() + path);
    }

    public String operatorToken() throws IOException {
        return Files.readString(home.resolve("data").resolve("operator-token")).strip();
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public <T> List<T> beans(Class<T> type) {
        return List.copyOf(context.getBeansOfType(type).values());
    }

    private int port(String property) {
        return context.getEnvironment().getRequiredProperty(property, Integer.class);
    }

    @Override
    public void close() {
        context.close();
    }
}
