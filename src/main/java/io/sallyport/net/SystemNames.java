package io.sallyport.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/**
 * The system's hosts file, then its resolver. It blocks in native code, which would pin a virtual thread: so a few platform threads.
 *
 * <p>The resolver is asked for absolute names. With a search list {@code api.example.com} could be answered by whoever may make the name
 * {@code api.example.com.svc.cluster.local}, and Kubernetes asks for that one first.
 */
final class SystemNames implements NameSource, AutoCloseable {

    /** What the system's resolver is. */
    interface LookUp {
        InetAddress[] all(String name) throws UnknownHostException;
    }

    private final HostsFile hosts;
    private final LookUp system;
    private final ExecutorService threads = NameThreads.of(8);

    SystemNames() {
        this(HostsFile.SYSTEM, InetAddress::getAllByName);
    }

    SystemNames(HostsFile hosts, LookUp system) {
        this.hosts = hosts;
        this.system = system;
    }

    @Override
    public CompletableFuture<Answer> ask(String name) {
        try {
            return CompletableFuture.supplyAsync(() -> lookUp(name), threads);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(TOO_MANY);
        }
    }

    /** The system does not tell a time to live, so there is none: the shortest time of the settings counts. */
    private Answer lookUp(String name) {
        try {
            List<InetAddress> listed = hosts.addresses(name);
            return new Answer.Found(listed.isEmpty() ? List.of(system.all(name + ".")) : listed, Duration.ZERO);
        } catch (UnknownHostException e) {
            return new Answer.NotFound("no such name");
        } catch (IOException e) {
            return new Answer.NotFound("the hosts file of the broker's machine can't be read");
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
