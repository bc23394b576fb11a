package io.sallyport.cli.show;

import io.sallyport.cli.Cli;
import io.sallyport.cli.CommandFailed;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sallyport show}: starts the broker on the embedded default, plays the main job, and stays up. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description =
                "Start the broker on a folder of its own, play the main job on an origin of its own, and stay up.")
public final class ShowCommand implements Callable<Integer> {

    private final Cli.Broker broker;
    private final Clock clock;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            defaultValue = "data/show",
            description = "where the show keeps its documents and data (default: ${DEFAULT-VALUE})")
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Option(names = "--once", description = "end after the last step instead of staying up")
    private boolean once;

    @Option(
            names = "--ports",
            paramLabel = "AGENT,HOP,OPERATOR,MANAGEMENT",
            defaultValue = "8080,3128,8081,9090",
            converter = ShowDoors.Converter.class,
            description = "the doors' ports (default: ${DEFAULT-VALUE})")
    @SuppressWarnings("NullAway.Init")
    private ShowDoors doors;

    public ShowCommand(Cli.Broker broker, Clock clock) {
        this.broker = broker;
        this.clock = clock;
    }

    @Override
    public Integer call() throws Exception {
        doors.requireFree();
        Path home = home();
        try (FileChannel alone = alone(home)) {
            return play(home, clock.instant());
        }
    }

    private int play(Path home, Instant now) throws Exception {
        ShowCertificates certificates = ShowCertificates.make(ShowOrigin.HOST, home, now);
        try (ShowOrigin origin = new ShowOrigin(certificates.server());
                ShowNames names = new ShowNames()) {
            ShowDocuments documents = ShowDocuments.write(home, origin.url(), now);
            spec.commandLine().getOut().println("Starting the broker …");
            spec.commandLine().getOut().flush();
            try (AutoCloseable running = broker.start(settings(home, doors, certificates, names))) {
                boolean held = new Show(spec.commandLine().getOut(), doors, origin, documents).play();
                if (held && !once) {
                    new ShowFarewell(spec.commandLine().getOut(), doors, origin.url(), home).print();
                    untilInterrupted();
                }
                return held ? 0 : 1;
            }
        }
    }

    private static List<String> settings(Path home, ShowDoors doors, ShowCertificates certificates, ShowNames names) {
        return List.of(
                "--server.port=" + doors.agent(),
                "--sallyport.proxy.port=" + doors.hop(),
                "--sallyport.operator.port=" + doors.operator(),
                "--management.server.port=" + doors.management(),
                "--sallyport.issuer=" + doors.agentUrl(),
                "--sallyport.data=" + home.resolve("data"),
                "--sallyport.rules=" + home.resolve("rules"),
                "--sallyport.secrets=" + home.resolve("secrets"),
                "--sallyport.key=file:" + home.resolve("key/master.key"),
                "--sallyport.proxy.upstream-trust=file:" + certificates.trust(),
                "--sallyport.proxy.name-servers=" + names.address(),
                "--logging.level.root=error",
                "--logging.level.io.sallyport=warn");
    }

    private Path home() throws IOException {
        Path home = folder.toAbsolutePath().normalize();
        try {
            Files.createDirectories(
                    home, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw new CommandFailed("can't make the folder " + home + " (--folder names another)", e);
        }
        return home;
    }

    /** Two shows in one folder would write each other's secret and token; the lock falls with the process, however it ends. */
    private static FileChannel alone(Path home) throws IOException {
        FileChannel lock =
                FileChannel.open(home.resolve("show.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (lock.tryLock() == null) {
            lock.close();
            throw new CommandFailed("another show runs in " + home + "; --folder names another folder");
        }
        return lock;
    }

    @SuppressWarnings("ResultOfMethodCallIgnored")
    private static void untilInterrupted() throws InterruptedException {
        new CountDownLatch(1).await();
    }
}
