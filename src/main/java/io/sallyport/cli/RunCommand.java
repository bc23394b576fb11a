package io.sallyport.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sallyport run -- CMD}: a task for as long as a command runs. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Get a task token, start a command that goes through the hop, and end the task when it ends.")
final class RunCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private ExchangeOptions exchange = new ExchangeOptions();

    @Mixin
    private HopOptions hop = new HopOptions();

    @Parameters(
            arity = "1..*",
            paramLabel = "CMD",
            description = "the command and its arguments; put -- before it where its name begins with a dash")
    private List<String> command = List.of();

    @Override
    public Integer call() throws InterruptedException {
        AgentDoor.TaskToken given = exchange.exchange();
        Thread end = new Thread(() -> end(given), "end-task");
        Runtime.getRuntime().addShutdownHook(end);
        try {
            ProcessBuilder child = new ProcessBuilder(command).inheritIO();
            child.environment().putAll(hop.environment(exchange.door(), given).variables());
            // The workload's own token is worth more than the task's: the command gets the lesser one alone.
            child.environment().remove("SALLYPORT_WORKLOAD_TOKEN_FILE");
            return child.start().waitFor();
        } catch (IOException e) {
            throw new CommandFailed("can't start " + command.getFirst() + ": is it in PATH, and may it be run?", e);
        } finally {
            Runtime.getRuntime().removeShutdownHook(end);
            end(given);
        }
    }

    private void end(AgentDoor.TaskToken given) {
        try {
            exchange.door().revoke(given.token(), exchange.workloadToken());
        } catch (CommandFailed e) {
            spec.commandLine()
                    .getErr()
                    .println("sallyport: task " + given.task() + " could not be ended (" + e.getMessage()
                            + "); it ends by itself within " + given.seconds() + " s");
        }
    }
}
