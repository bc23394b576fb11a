package io.sallyport.cli.show;

import java.io.PrintWriter;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Prints the show: for each step what was tried, what each side saw, the ledger's entry, and whether it held. */
final class Playbill {

    private static final List<String> MEMBERS = List.of(
            "workload",
            "scopes",
            "scope",
            "method",
            "origin",
            "destination",
            "target",
            "error",
            "prefix_sha256",
            "complete",
            "credentials",
            "removed",
            "outcome",
            "status",
            "injected",
            "masked",
            "by",
            "reason",
            "flows_cut");

    private final PrintWriter out;
    private int step;
    private int failures;

    Playbill(PrintWriter out) {
        this.out = out;
    }

    void opening(ShowDoors doors, ShowOrigin origin) {
        out.println();
        out.println("Sallyport, the main job: an agent works with a credential that it never had.");
        out.println();
        out.println("  broker  agent door " + doors.agentUrl() + " · hop " + doors.hopUrl() + " · operator door "
                + doors.operatorAddress());
        out.println("  origin  " + origin.url() + ", a TLS server in this process that writes down what it receives");
    }

    void step(String title) {
        out.println();
        out.println("(" + ++step + ") " + title);
    }

    void tried(String what) {
        line("tried", what);
    }

    void agentSaw(String what) {
        line("agent saw", what);
    }

    void originSaw(String what) {
        line("origin saw", what);
    }

    void originSaw(ShowOrigin.Seen seen) {
        originSaw(seen.line() + "  " + String.join(", ", seen.keys()));
    }

    void receipt(JsonNode receipt) {
        line(
                "receipt",
                receipt.path("id").asString() + ": " + receipt.path("grants").size() + " grant ended, "
                        + receipt.path("flows_cut").asInt() + " flow cut, durable "
                        + receipt.path("durable").asBoolean());
    }

    /** The newest of what a look-up found, in the entry's own words. */
    void lastEntry(JsonNode page) {
        JsonNode entries = page.path("entries");
        line("ledger", entries.isEmpty() ? "nothing" : entry(entries.get(entries.size() - 1)));
    }

    void entries(JsonNode page) {
        page.path("entries").forEach(entry -> line("ledger", entry(entry)));
    }

    void verified(JsonNode check) {
        line(
                "verified",
                check.path("entries").asLong() + " entries, intact "
                        + check.path("intact").asBoolean() + ", head "
                        + check.path("entries").asLong() + ":"
                        + check.path("chain_hash").asString());
    }

    void holds(boolean held, String what) {
        failures += held ? 0 : 1;
        line(held ? "holds" : "FAILS", what);
        out.flush();
    }

    /** @return whether all held */
    boolean closing() {
        out.println();
        out.println(failures == 0 ? "All " + step + " steps hold." : failures + " of the steps' checks FAIL.");
        out.flush();
        return failures == 0;
    }

    private void line(String label, String text) {
        out.printf("    %-11s %s%n", label, text.strip());
    }

    /** The members that tell the story, in its order; the whole entry is a look-up away. */
    private static String entry(JsonNode entry) {
        JsonNode body = entry.path("entry");
        StringBuilder text = new StringBuilder("#")
                .append(entry.path("seq").asLong())
                .append(' ')
                .append(body.path("kind").asString());
        for (String member : MEMBERS) {
            JsonNode value = body.path(member);
            if (!value.isMissingNode() && !value.isNull()) {
                text.append("  ")
                        .append(member)
                        .append('=')
                        .append(value.isString() ? value.asString() : value.toString());
            }
        }
        return text.toString();
    }
}
