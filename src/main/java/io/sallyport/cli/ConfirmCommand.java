package io.sallyport.cli;

import java.io.Console;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code sallyport credential confirm}: shows where a changed credential would go, and lets it. */
@Command(
        name = "confirm",
        mixinStandardHelpOptions = true,
        description =
                "Show the places that a changed credential document adds (destinations, how the secret stands there), and confirm them.")
final class ConfirmCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private OperatorOptions operator = new OperatorOptions();

    @Mixin
    private CredentialName name = new CredentialName();

    @Option(names = "--yes", description = "confirm what is shown without asking")
    private boolean yes;

    @Override
    public Integer call() {
        String path = name.path("places");
        List<String> places = new ArrayList<>();
        for (JsonNode place : operator.door().get(path).path("unconfirmed")) {
            places.add(place.asString(""));
        }
        if (places.isEmpty()) {
            Cli.out(spec).println("nothing of " + name + " has to be confirmed");
            return 0;
        }
        Cli.out(spec).println("The secret of " + name + " would go to:");
        places.forEach(place -> Cli.out(spec).println("  " + place));
        if (!yes && !agreed()) {
            throw new CommandFailed("not confirmed; --yes confirms what is shown");
        }
        ObjectNode order = Json.MAPPER.createObjectNode();
        places.forEach(order.putArray("confirm")::add);
        operator.door().post(path, order);
        Cli.out(spec).println("confirmed");
        return 0;
    }

    private static boolean agreed() {
        Console console = System.console();
        return console != null
                && console.isTerminal()
                && "yes".equalsIgnoreCase(console.readLine("Type yes to confirm: "));
    }
}
