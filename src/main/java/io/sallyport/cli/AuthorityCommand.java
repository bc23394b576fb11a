package io.sallyport.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code sallyport authority …}: rolls over the interception CA of a running broker. */
@Command(
        name = "authority",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "VERB",
        description = "The interception CA of the running broker: what sandboxes trust.",
        footer = {
            "",
            "To roll it over: successor; give /ca.pem, which then holds both, to every sandbox; promote; withdraw the old one."
        },
        subcommands = {
            AuthorityCommand.Show.class,
            AuthorityCommand.Successor.class,
            AuthorityCommand.Promote.class,
            AuthorityCommand.Withdraw.class
        })
final class AuthorityCommand {

    private static final String PATH = "/api/v1/authorities";

    /** A verb that ends with the list as it is then. */
    private abstract static class Verb implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init")
        private CommandSpec spec;

        @Mixin
        private OperatorOptions operator = new OperatorOptions();

        abstract JsonNode ask(OperatorDoor door);

        static JsonNode post(OperatorDoor door, String path) {
            return door.post(PATH + path, Json.MAPPER.createObjectNode());
        }

        @Override
        public Integer call() {
            Cli.out(spec).println(Json.pretty(ask(operator.door())));
            return 0;
        }
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "The roots, oldest first: which one signs, which ones /ca.pem holds, until when.")
    static final class Show extends Verb {
        @Override
        JsonNode ask(OperatorDoor door) {
            return door.get(PATH);
        }
    }

    @Command(
            name = "successor",
            mixinStandardHelpOptions = true,
            description = "Make a successor; /ca.pem holds it beside the root that signs.")
    static final class Successor extends Verb {
        @Override
        JsonNode ask(OperatorDoor door) {
            return post(door, "/successor");
        }
    }

    @Command(
            name = "promote",
            mixinStandardHelpOptions = true,
            description =
                    "Sign with the successor from now on. Sandboxes that were not given it are refused their connections.")
    static final class Promote extends Verb {
        @Override
        JsonNode ask(OperatorDoor door) {
            return post(door, "/promote");
        }
    }

    @Command(
            name = "withdraw",
            mixinStandardHelpOptions = true,
            description = "Leave a root out of /ca.pem that does not sign.")
    static final class Withdraw extends Verb {

        @Parameters(paramLabel = "ID", description = "as list shows it")
        @SuppressWarnings("NullAway.Init")
        private String id;

        @Override
        JsonNode ask(OperatorDoor door) {
            return post(door, "/" + URLEncoder.encode(id, StandardCharsets.UTF_8) + "/withdraw");
        }
    }
}
