package io.sallyport.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code sallyport seal …}: which key seals the database of a running broker, and taking what is sealed over to it. */
@Command(
        name = "seal",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "VERB",
        description = "The key that seals the database of the running broker.",
        footer = {
            "",
            "To change it: name the new one in sallyport.key and the old one in sallyport.previous-keys, start the broker"
                    + " again, rotate, and take the old one out of the settings."
        },
        subcommands = {SealCommand.State.class, SealCommand.Rotate.class})
final class SealCommand {

    private static final String PATH = "/api/v1/seal";

    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description = "Which key seals, and how many values still need another.")
    static final class State implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init")
        private CommandSpec spec;

        @Mixin
        private OperatorOptions operator = new OperatorOptions();

        @Override
        public Integer call() {
            show(Cli.out(spec), operator.door().get(PATH));
            return 0;
        }
    }

    @Command(
            name = "rotate",
            mixinStandardHelpOptions = true,
            description =
                    "Seal anew whatever needs another key than the one that seals, while the broker works. Ends with 1 where something is left.")
    static final class Rotate implements Callable<Integer> {

        private static final long BETWEEN_MILLIS = 200;

        @Spec
        @SuppressWarnings("NullAway.Init")
        private CommandSpec spec;

        @Mixin
        private OperatorOptions operator = new OperatorOptions();

        @Option(
                names = "--new-key",
                description = "first have AWS KMS or Vault, where one of them keeps the key, make another one")
        private boolean newKey;

        @Override
        public Integer call() throws InterruptedException {
            OperatorDoor door = operator.door();
            PrintWriter out = Cli.out(spec);
            JsonNode state =
                    door.post(PATH + "/rotate", Json.MAPPER.createObjectNode().put("new_key", newKey));
            while (state.path("running").asBoolean()) {
                out.println(state.path("waiting").asLong() + " to go");
                out.flush();
                Thread.sleep(BETWEEN_MILLIS);
                state = door.get(PATH);
            }
            show(out, state);
            return state.path("waiting").asLong() == 0 ? 0 : 1;
        }
    }

    private static void show(PrintWriter out, JsonNode state) {
        out.println("key " + state.path("key").asString() + " from "
                + state.path("place").asString() + " seals");
        if (state.path("waiting").asLong() == 0) {
            out.println("nothing needs another key");
        }
        for (JsonNode earlier : state.path("earlier")) {
            out.println(earlier.path("values").asLong() + " values need key "
                    + earlier.path("key").asString() + " from "
                    + earlier.path("place").asString());
        }
        if (state.path("running").asBoolean()) {
            out.println("they are being sealed anew");
        }
        for (JsonNode unreadable : state.path("unreadable")) {
            out.println("can't be opened: " + unreadable.asString());
        }
        if (state.path("stopped").isString()) {
            out.println("the last rotation stopped: " + state.path("stopped").asString());
        }
    }
}
