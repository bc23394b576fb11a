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
            description = "where to put the trust files (default: one of your own in $XDG_CACHE_HOME or ~/.cache)")
    private @Nullable Path folder;

    /** A task with a port of its own goes there, and the command gets no token at all. */
    ClientEnvironment environment(AgentDoor door, AgentDoor.TaskToken given) {
        String proxy = given.listener()
                .map(HopOptions::port)
                .orElseGet(() -> hop.getScheme() + "://task:" + given.token() + "@" + hop.getAuthority());
        return ClientEnvironment.write(folder, door.authority(), proxy);
    }

    private static String port(AgentDoor.Listener listener) {
        if (listener.kind().equals("proxy")) {
            return listener.place();
        }
        throw new CommandFailed("the task's listener (" + listener.kind() + " " + listener.place()
                + ") is no proxy that variables can name; ask for --listener port");
    }
}
