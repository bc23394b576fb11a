package io.sallyport.cli;

import java.io.ByteArrayInputStream;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code sallyport credential …}: writes a secret, once and one way; tests a credential; confirms where a changed one may go. */
@Command(
        name = "credential",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "VERB",
        description = "Credentials of the running broker.",
        subcommands = {CredentialCommand.Put.class, TestCommand.class, ConfirmCommand.class})
final class CredentialCommand {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Command(
            name = "put",
            mixinStandardHelpOptions = true,
            description =
                    "Write the secret of a credential that is written in (kind local, or the refresh token of oauth-refresh-token), from standard input (asked for on a terminal) or a file; it can't be read back.")
    static final class Put implements java.util.concurrent.Callable<Integer> {

        @ParentCommand
        @SuppressWarnings("NullAway.Init")
        private CredentialCommand parent;

        @Mixin
        private OperatorOptions operator = new OperatorOptions();

        @Mixin
        private CredentialName name = new CredentialName();

        @Option(names = "--file", paramLabel = "FILE", description = "read it here instead of from standard input")
        private @Nullable Path file;

        @Override
        public Integer call() throws IOException {
            try (InputStream secret = secret()) {
                operator.door().upload(name.path("secret"), secret);
            }
            Cli.out(parent.spec).println("the secret of " + name + " is sealed");
            return 0;
        }

        private InputStream secret() {
            Console console = System.console();
            if (file == null && console != null && console.isTerminal()) {
                char[] typed = console.readPassword("The secret of %s (not shown): ", name);
                return new ByteArrayInputStream(
                        typed == null ? new byte[0] : new String(typed).getBytes(StandardCharsets.UTF_8));
            }
            try {
                return file == null ? System.in : Files.newInputStream(file);
            } catch (IOException e) {
                throw new CommandFailed("can't read " + file + ": " + Complaint.ofFile(e), e);
            }
        }
    }
}
