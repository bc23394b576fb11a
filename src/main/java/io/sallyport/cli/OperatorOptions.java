package io.sallyport.cli;

import java.net.URI;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** How a command reaches the operator door. */
final class OperatorOptions {

    @Option(
            names = "--operator",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8081",
            converter = DoorUrl.class,
            description = "the operator door (default: ${DEFAULT-VALUE})")
    @SuppressWarnings("NullAway.Init")
    private URI operator;

    @Option(
            names = "--operator-token-file",
            paramLabel = "FILE",
            defaultValue = "data/operator-token",
            description = "where the operator token is (default: ${DEFAULT-VALUE})")
    @SuppressWarnings("NullAway.Init")
    private Path tokenFile;

    OperatorDoor door() {
        return new OperatorDoor(operator, tokenFile);
    }
}
