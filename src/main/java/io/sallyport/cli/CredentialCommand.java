package io.sallyport.cli;

import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code sallyport credential …}: writes the secret of a {@code local} credential, once and one way. */
@Command(
        name = "credential",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "VERB",
        description = "Credentials of the running broker.",
        subcommands = CredentialCommand.Put.class)
final class CredentialCommand {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Command(
            name = "put",
            mixinStandardHelpOptions = true,
            description =
                    "Write the secret of a local credential, from standard input or a file; it can't be read back.")
    static final class Put implements java.util.concurrent.Callable<Integer> {

        @ParentCommand
        @SuppressWarnings("NullAway.Init")
        private CredentialCommand parent;

        @Mixin
        private OperatorOptions operator = new OperatorOptions();

        @Parameters(paramLabel = "NAME", description = "of the credential document")
        @SuppressWarnings("NullAway.Init")
        private String name;

        @Option(names = "--file", paramLabel = "FILE", description = "read it here instead of from standard input")
        private @Nullable Path file;

        @Override
        public Integer call() throws java.io.IOException {
            String path = "/api/v1/credentials/" + URLEncoder.encode(name, StandardCharsets.UTF_8) + "/secret";
            try (InputStream secret = file == null ? System.in : Files.newInputStream(file)) {
                operator.door().upload(path, secret);
            }
            Cli.out(parent.spec).println("the secret of " + name + " is sealed");
            return 0;
        }
    }
}
