package io.sallyport.cli;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the hop is, and where the files that clients are pointed to may lie. */
final class HopOptions {

    @Option(
            names = "--hop",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:3128",
            converter = DoorUrl.class,
            description = "the hop, as the task's tools reach it (default: ${DEFAULT-VALUE})")
    @SuppressWarnings("NullAway.Init")
    private URI hop;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "where to put the trust files (default: a new temporary folder)")
    private @Nullable Path folder;

    ClientEnvironment environment(AgentDoor door, String taskToken) {
        return ClientEnvironment.write(folder, door.authority(), hop, taskToken);
    }
}
