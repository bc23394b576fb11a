package io.sallyport.cli;

import io.sallyport.RunningBroker;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Verbs for operators, as typed beside a running broker. */
record OperatorVerbs(RunningBroker broker, Path home) {

    record Said(int exit, String out, String err) {}

    Said say(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(
                "--operator", broker.operator("").toString(),
                "--operator-token-file", home.resolve("data/operator-token").toString()));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Cli.commandLine(_ -> () -> {}, Clock.systemUTC())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
        return new Said(exit, out.toString(), err.toString());
    }

    /** What operators did, as the ledger has it, oldest first. */
    List<String> deeds() {
        List<String> deeds = new ArrayList<>();
        new OperatorDoor(broker.operator(""), home.resolve("data/operator-token"))
                .get("/api/v1/ledger?kind=operated&limit=1000")
                .path("entries")
                .forEach(entry -> deeds.add(entry.path("entry").path("what").asString("")));
        return deeds;
    }
}
