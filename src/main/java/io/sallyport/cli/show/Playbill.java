package io.sallyport.cli.show;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Help.Ansi;
import tools.jackson.databind.JsonNode;

/** Prints the show: for each step what was tried, what each side saw, the ledger's entry, and whether it held. */
final class Playbill {

    private static final String INDENT = " ".repeat(16);

    /** Columns of a line; a single word that is longer stays whole, so that it can be copied. */
    private static final int WIDTH = 110;

    /** Of a hash, when its entry is told in passing; the look-up takes the whole. */
    private static final int DIGITS = 12;

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
        line("agent door", doors.agentUrl() + "   where a workload's token becomes a task token");
        line("hop", doors.hopUrl() + "   the proxy that the agent's tools go through");
        line("operator", doors.operatorAddress() + "   revocations, the ledger, the console");
        line("origin", origin.url() + "   an API in this process; it writes down what it gets");
    }

    void step(String title) {
        out.println();
        out.println(styled("bold", "(" + ++step + ") " + title));
    }

    void tried(String what) {
        line("tried", what);
    }

    void agentSaw(String what) {
        line("agent saw", what);
    }

    void agentSaw(ShowAgent.Answer answer) {
        agentSaw(answer.statusLine() + "  " + answer.body());
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
                        + receipt.path("flows_cut").asInt() + " flow cut, "
                        + (receipt.path("durable").asBoolean() ? "on disk" : "not yet on disk"));
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
                check.path("entries").asLong() + " entries, "
                        + (check.path("intact").asBoolean() ? "intact" : "NOT INTACT")
                        + "; head " + check.path("entries").asLong() + ":"
                        + check.path("chain_hash").asString());
    }

    void holds(boolean held, String what) {
        failures += held ? 0 : 1;
        line(held ? "holds" : "FAILS", held ? "bold,green" : "bold,red", what);
        out.flush();
    }

    /** @return whether all held */
    boolean closing() {
        out.println();
        out.println(
                failures == 0
                        ? styled("bold,green", "All " + step + " steps hold.")
                        : styled("bold,red", failures + " of the steps' checks FAIL."));
        out.flush();
        return failures == 0;
    }

    private void line(String label, String text) {
        line(label, "faint", text);
    }

    private void line(String label, String style, String text) {
        out.print("    " + styled(style, "%-11s".formatted(label)) + " ");
        out.println(wrapped(text.strip()));
    }

    /** Colours for people, and none where the output is a file or a pipe. */
    private static String styled(String style, String text) {
        return Ansi.AUTO.string("@|" + style + " " + text + "|@");
    }

    static String wrapped(String text) {
        StringBuilder all = new StringBuilder();
        int column = INDENT.length();
        for (String word : text.split("(?<= )(?! )")) {
            if (column > INDENT.length() && column + word.stripTrailing().length() > WIDTH) {
                all.setLength(all.toString().stripTrailing().length());
                all.append(System.lineSeparator()).append(INDENT);
                column = INDENT.length();
            }
            all.append(word);
            column += word.length();
        }
        return all.toString();
    }

    /** The members that tell the story, in its order; the whole entry is a look-up away. */
    private static String entry(JsonNode entry) {
        JsonNode body = entry.path("entry");
        StringBuilder text = new StringBuilder("#")
                .append(entry.path("seq").asLong())
                .append(' ')
                .append(body.path("kind").asString());
        for (String member : MEMBERS) {
            String value = told(body.path(member));
            if (!value.isEmpty()) {
                text.append("  ")
                        .append(member)
                        .append('=')
                        .append(member.endsWith("sha256") ? value.substring(0, DIGITS) + "…" : value);
            }
        }
        return text.toString();
    }

    /** @return empty where there is nothing to tell */
    private static String told(JsonNode value) {
        if (value.isArray()) {
            return String.join(",", value.valueStream().map(JsonNode::asString).toList());
        }
        return value.isMissingNode() || value.isNull() ? "" : value.asString();
    }
}
