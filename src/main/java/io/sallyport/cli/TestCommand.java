package io.sallyport.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code sallyport credential test}: whether a credential can be had, and if not, what to do. */
@Command(
        name = "test",
        mixinStandardHelpOptions = true,
        description =
                "Have the running broker ask the credential's source, and say what it gave by name, or what is wrong. Shows no value. Ends with 1 where it can't be had.")
final class TestCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private OperatorOptions operator = new OperatorOptions();

    @Mixin
    private CredentialName name = new CredentialName();

    @Override
    public Integer call() {
        String path = name.path("test");
        JsonNode found = operator.door().post(path, Json.MAPPER.createObjectNode());
        PrintWriter out = Cli.out(spec);
        if (!found.path("works").asBoolean()) {
            out.println(name + " can't be had (" + found.path("kind").asString() + "): "
                    + found.path("cause").asString());
            return 1;
        }
        List<String> parts = new ArrayList<>();
        found.path("parts").forEach(part -> parts.add(part.asString()));
        out.println(name + " works: its source gave " + String.join(", ", parts) + ", good for "
                + text(Duration.ofSeconds(found.path("lives_seconds").asLong())));
        return 0;
    }

    private static String text(Duration lives) {
        return lives.toMinutes() >= 2 ? lives.toMinutes() + " min" : lives.toSeconds() + " s";
    }
}
