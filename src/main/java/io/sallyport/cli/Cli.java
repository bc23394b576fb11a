package io.sallyport.cli;

import io.sallyport.cli.show.ShowCommand;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The root of the command line: names the verbs and turns a failure into one sentence and an exit code. */
@Command(
        name = "sallyport",
        description = "The credential broker for AI agents. Without a verb it starts the broker.",
        mixinStandardHelpOptions = true,
        version = "sallyport 0.1.0",
        synopsisSubcommandLabel = "VERB",
        footer = {
            "",
            "Settings of the broker are given as --sallyport.KEY=VALUE; docs/reference/settings.md lists them."
        })
public final class Cli implements Runnable {

    /** Starts a broker in this process; given from outside, so that the command line need not know how one is put together. */
    @FunctionalInterface
    public interface Broker {

        /** @param settings as on a command line, {@code --sallyport.data=…}; returns when it is ready */
        AutoCloseable start(List<String> settings);
    }

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    /** @return the exit code: 0 done, 1 could not be done, 2 not understood; that of the child for {@code run} */
    public static int run(String[] arguments, Broker broker, Clock clock) {
        return commandLine(broker, clock).execute(arguments);
    }

    static CommandLine commandLine(Broker broker, Clock clock) {
        // What follows a command's name is the command's: its -s is no scope of ours.
        CommandLine run = new CommandLine(new RunCommand()).setStopAtPositional(true);
        CommandLine line = new CommandLine(new Cli())
                .addSubcommand(new ShowCommand(broker, clock))
                .addSubcommand(new RulesCommand())
                .addSubcommand(new CredentialCommand())
                .addSubcommand(new ExchangeCommand())
                .addSubcommand(new EnvCommand())
                .addSubcommand(run)
                .addSubcommand(new RevokeCommand())
                .addSubcommand(new LedgerCommand())
                .addSubcommand(new AuthorityCommand())
                .addSubcommand(new SealCommand());
        return line.setUsageHelpWidth(100)
                .setParameterExceptionHandler(Complaint::notUnderstood)
                .setExecutionExceptionHandler(Complaint::failed);
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "name a verb: " + String.join(", ", spec.subcommands().keySet()));
    }

    /** Where a command writes: the command line's own writer, so that tests can read it. */
    static PrintWriter out(CommandSpec spec) {
        return spec.commandLine().getOut();
    }
}
