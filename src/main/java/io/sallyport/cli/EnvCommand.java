package io.sallyport.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code sallyport env}: the variables for a shell, as {@code eval "$(sallyport env …)"}. */
@Command(
        name = "env",
        mixinStandardHelpOptions = true,
        description = "Get a task token, and print the variables that lead common clients through the hop.")
final class EnvCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private ExchangeOptions exchange = new ExchangeOptions();

    @Mixin
    private HopOptions hop = new HopOptions();

    @Override
    public Integer call() {
        AgentDoor.TaskToken given = exchange.exchange();
        var out = Cli.out(spec);
        out.println("# task " + given.task() + ", " + given.scope() + ", ends in " + given.seconds() + " s");
        hop.environment(exchange.door(), given)
                .variables()
                .forEach((name, value) -> out.println("export " + name + "='" + value.replace("'", "'\\''") + "'"));
        return 0;
    }
}
