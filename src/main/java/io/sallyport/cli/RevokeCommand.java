package io.sallyport.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** {@code sallyport revoke}: ends what matches all that is named, now. */
@Command(
        name = "revoke",
        mixinStandardHelpOptions = true,
        description = "End every grant that matches all that is named; print the receipt.",
        footer = {
            "",
            "Wider than a task or a grant, it also locks: nothing that matches can be exchanged until it is lifted."
        })
final class RevokeCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private OperatorOptions operator = new OperatorOptions();

    @Option(names = "--task", paramLabel = "ID", description = "one task, as the exchange named it")
    private @Nullable String task;

    @Option(names = "--grant", paramLabel = "ID", description = "one grant of a task")
    private @Nullable String grant;

    @Option(names = "--workload", paramLabel = "IDENTITY/SUBJECT", description = "whatever this workload runs")
    private @Nullable String workload;

    @Option(names = "--person", paramLabel = "IDENTITY/SUBJECT", description = "what acts for this person")
    private @Nullable String person;

    @Option(names = "--policy", paramLabel = "NAME", description = "what was opened under this policy")
    private @Nullable String policy;

    @Option(names = "--credential", paramLabel = "NAME", description = "what may use this credential")
    private @Nullable String credential;

    @Option(names = "--destination", paramLabel = "ORIGIN", description = "what reaches this origin")
    private @Nullable String destination;

    @Option(names = "--all", description = "everything that stands")
    private boolean all;

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "why; kept in the ledger")
    @SuppressWarnings("NullAway.Init")
    private String reason;

    @Override
    public Integer call() {
        ObjectNode select = Json.MAPPER.createObjectNode();
        named().forEach(select::put);
        if (all) {
            select.put("all", true);
        }
        if (select.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "name what to end: --task, --grant, --workload, --person, --policy, --credential, --destination or --all.");
        }
        ObjectNode order = Json.MAPPER.createObjectNode();
        order.set("select", select);
        order.put("reason", reason);
        Cli.out(spec).println(Json.pretty(operator.door().post("/api/v1/revocations", order)));
        return 0;
    }

    private Map<String, String> named() {
        Map<String, String> named = new LinkedHashMap<>();
        put(named, "task", task);
        put(named, "grant", grant);
        put(named, "workload", workload);
        put(named, "person", person);
        put(named, "policy", policy);
        put(named, "credential", credential);
        put(named, "destination", destination);
        return named;
    }

    private static void put(Map<String, String> named, String key, @Nullable String value) {
        if (value != null) {
            named.put(key, value);
        }
    }
}
