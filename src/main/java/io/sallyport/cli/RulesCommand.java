package io.sallyport.cli;

import io.sallyport.http.Parsed;
import io.sallyport.rules.Explanation;
import io.sallyport.rules.RuleBook;
import io.sallyport.rules.RuleFolder;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sallyport rules …}: checks and explains documents without a broker, and has a running one read them anew. */
@Command(
        name = "rules",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "VERB",
        description = "The documents: identities, credentials and policies.",
        subcommands = {RulesCommand.Check.class, RulesCommand.Explain.class, RulesCommand.Reload.class})
final class RulesCommand {

    /** Where the documents are. */
    static final class Folder {

        @Option(
                names = "--rules",
                paramLabel = "DIR",
                defaultValue = "config/rules",
                description = "the folder of documents (default: ${DEFAULT-VALUE})")
        @SuppressWarnings("NullAway.Init")
        private Path rules;

        /** @return the book; null when there are problems, which are then printed */
        @Nullable
        RuleBook book(CommandSpec spec, boolean warn) {
            PrintWriter err = spec.commandLine().getErr();
            return switch (RuleFolder.check(rules)) {
                case RuleFolder.Checked.Right(RuleBook book, List<String> warnings) -> {
                    if (warn) {
                        warnings.forEach(warning -> err.println("warning: " + warning));
                    }
                    yield book;
                }
                case RuleFolder.Checked.Wrong(List<String> problems) -> {
                    problems.forEach(err::println);
                    yield null;
                }
            };
        }
    }

    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            description = "Read, compile and cross-check the documents; exit code 1 when something is wrong.")
    static final class Check implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init")
        private CommandSpec spec;

        @Mixin
        private Folder folder = new Folder();

        @Override
        public Integer call() {
            RuleBook book = folder.book(spec, true);
            if (book == null) {
                return 1;
            }
            Cli.out(spec)
                    .println(book.documents().size() + " documents, "
                            + book.policies().size() + " policies; digest " + book.digest());
            return 0;
        }
    }

    @Command(
            name = "explain",
            mixinStandardHelpOptions = true,
            description =
                    "Say for each policy which scope a request belongs to, whether it may pass, and why; exit code 1 when"
                            + " none lets it pass.")
    static final class Explain implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init")
        private CommandSpec spec;

        @Mixin
        private Folder folder = new Folder();

        @Option(names = "--policy", paramLabel = "NAME", description = "only this policy")
        private @Nullable String policy;

        @Parameters(index = "0", paramLabel = "METHOD", description = "as in GET")
        @SuppressWarnings("NullAway.Init")
        private String method;

        @Parameters(index = "1", paramLabel = "URL", description = "whole, as in https://api.github.com/user")
        @SuppressWarnings("NullAway.Init")
        private String url;

        @Override
        public Integer call() {
            RuleBook book = folder.book(spec, false);
            if (book == null) {
                return 1;
            }
            if (book.policies().isEmpty()) {
                throw new CommandFailed("there are no policies in " + folder.rules + ", so no request may pass");
            }
            return switch (Explanation.of(book, policy, method, url)) {
                case Parsed.Valid<List<Explanation>>(List<Explanation> all) -> {
                    all.forEach(this::print);
                    yield all.stream().anyMatch(one -> one.selected().isPresent()) ? 0 : 1;
                }
                case Parsed.Malformed<List<Explanation>>(String reason) -> throw new CommandFailed(reason);
            };
        }

        private void print(Explanation explanation) {
            PrintWriter out = Cli.out(spec);
            out.println(explanation.policy() + ": " + explanation.answer());
            explanation.scopes().forEach((scope, why) -> out.println("    " + scope + ": " + why));
        }
    }

    @Command(
            name = "reload",
            mixinStandardHelpOptions = true,
            description = "Have the running broker read its documents; it keeps the old ones when something is wrong.")
    static final class Reload implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init")
        private CommandSpec spec;

        @Mixin
        private OperatorOptions operator = new OperatorOptions();

        @Override
        public Integer call() {
            Cli.out(spec).println(Json.pretty(operator.door().post("/api/v1/reload", Json.MAPPER.createObjectNode())));
            return 0;
        }
    }
}
