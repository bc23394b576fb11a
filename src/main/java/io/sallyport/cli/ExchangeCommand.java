package io.sallyport.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sallyport exchange}: a workload's token for a task token, on standard output and nowhere else. */
@Command(
        name = "exchange",
        mixinStandardHelpOptions = true,
        description = "Exchange a workload's token for a task token, and print it.")
final class ExchangeCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private ExchangeOptions options = new ExchangeOptions();

    @Option(names = "--json", description = "print the broker's whole answer")
    private boolean json;

    @Override
    public Integer call() {
        AgentDoor.TaskToken given = options.exchange();
        Cli.out(spec).println(json ? Json.pretty(Json.read(given.json())) : given.token());
        return 0;
    }
}
