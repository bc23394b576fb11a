package io.sallyport.cli;

import io.sallyport.ledger.Ledger;
import io.sallyport.ledger.LedgerFile;
import io.sallyport.ledger.LedgerView;
import io.sallyport.ledger.Sha256;
import io.sallyport.store.StoreFault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code sallyport ledger …}: finds what left, and verifies the record without trusting the broker. */
@Command(
        name = "ledger",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "VERB",
        description = "The record of what was decided and what left.",
        subcommands = {LedgerCommand.Find.class, LedgerCommand.Verify.class})
final class LedgerCommand {

    @Command(
            name = "find",
            mixinStandardHelpOptions = true,
            description =
                    "Did this file leave? Finds the entries that close its content; exit code 1 when there are none.")
    static final class Find implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init")
        private CommandSpec spec;

        @Mixin
        private OperatorOptions operator = new OperatorOptions();

        @Parameters(paramLabel = "FILE", description = "the bytes to look for, whole")
        @SuppressWarnings("NullAway.Init")
        private Path file;

        @Override
        public Integer call() {
            String sha256 = hash(file);
            JsonNode entries =
                    operator.door().get("/api/v1/ledger?sha256=" + sha256).path("entries");
            entries.forEach(
                    entry -> Cli.out(spec).println("#" + entry.path("seq").asLong() + " " + entry.path("entry")));
            if (entries.isEmpty()) {
                spec.commandLine().getErr().println("sallyport: no entry has the SHA-256 " + sha256);
            }
            return entries.isEmpty() ? 1 : 0;
        }

        private static String hash(Path file) {
            try {
                return Sha256.ofFile(file);
            } catch (IOException e) {
                throw new CommandFailed("can't read " + file + ": " + Complaint.ofFile(e), e);
            }
        }
    }

    @Command(
            name = "verify",
            mixinStandardHelpOptions = true,
            description =
                    "Recompute every hash from the stored bytes, in the database file itself; exit code 1 when one is wrong.")
    static final class Verify implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init")
        private CommandSpec spec;

        @Option(
                names = "--data",
                paramLabel = "DIR",
                defaultValue = "data",
                description = "the broker's data folder, or a copy of its database (default: ${DEFAULT-VALUE})")
        @SuppressWarnings("NullAway.Init")
        private Path data;

        @Option(
                names = "--head",
                paramLabel = "ENTRIES:CHAIN_HASH",
                description = "a head that you kept from an earlier run; the record must contain it")
        private @Nullable String head;

        @Override
        public Integer call() {
            try (LedgerFile ledger = LedgerFile.open(data)) {
                return report(ledger.verify(kept()));
            } catch (StoreFault e) {
                throw new CommandFailed("can't read the ledger in " + data + ": " + e.getMessage(), e);
            }
        }

        private LedgerView.@Nullable Head kept() {
            try {
                return head == null ? null : LedgerView.Head.parse(head);
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), "--head: " + e.getMessage(), e);
            }
        }

        private int report(Ledger.Check check) {
            if (check.good()) {
                Cli.out(spec)
                        .println(check.entries() + " entries hold; head " + check.entries() + ":" + check.chainHash());
                return 0;
            }
            spec.commandLine()
                    .getErr()
                    .println("sallyport: entry " + check.firstBad() + " does not hold: " + check.why() + " ("
                            + check.entries() + " entries before it do)");
            return 1;
        }
    }
}
