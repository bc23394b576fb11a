package io.sallyport.cli;

import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;
import tools.jackson.databind.JsonNode;

/** What the command line says when something does not do: one sentence, and where to read on. */
final class Complaint {

    private Complaint() {}

    /** A command line that is not understood. */
    static int notUnderstood(ParameterException failure, String[] arguments) {
        CommandLine where = failure.getCommandLine();
        where.getErr().println("sallyport: " + sentence(failure));
        where.getErr().println("Try: " + where.getCommandSpec().qualifiedName() + " --help");
        return 2;
    }

    /** A verb that could not be done. */
    static int failed(Exception failure, CommandLine where, CommandLine.ParseResult parsed) {
        where.getErr().println("sallyport: " + ofFault(failure));
        return 1;
    }

    private static String sentence(ParameterException failure) {
        CommandLine where = failure.getCommandLine();
        boolean wantsVerb = !where.getSubcommands().isEmpty();
        if (failure instanceof UnmatchedArgumentException unmatched && wantsVerb) {
            return "'" + unmatched.getUnmatched().getFirst() + "' is not understood; verbs: " + verbs(where);
        }
        String message = String.valueOf(failure.getMessage());
        if (wantsVerb && message.equals("Missing required subcommand")) {
            return "name a verb: " + verbs(where);
        }
        return message;
    }

    private static String verbs(CommandLine where) {
        return String.join(", ", where.getSubcommands().keySet());
    }

    /** A file that can't be read, in words: the exceptions of files have a path for a message and nothing else. */
    static String ofFile(Exception failure) {
        return switch (failure) {
            case NoSuchFileException e -> "no such file";
            case AccessDeniedException e -> "not allowed";
            default -> String.valueOf(failure.getMessage());
        };
    }

    private static String ofFault(Exception failure) {
        if (failure instanceof CommandFailed || failure.getMessage() == null) {
            return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        }
        return failure.getClass().getSimpleName() + ": " + failure.getMessage();
    }

    /** A problem of the operator API (RFC 9457): what, where, what is allowed, and what is wrong with documents, one a line. */
    static String ofProblem(JsonNode problem) {
        StringBuilder text = new StringBuilder(
                problem.path("detail").asString(problem.path("title").asString("no reason given")));
        append(text, " At: ", problem.path("where"));
        append(text, " Allowed: ", problem.path("allowed"));
        problem.path("problems").forEach(one -> text.append("\n  ").append(one.asString()));
        return text.toString();
    }

    private static void append(StringBuilder text, String label, JsonNode value) {
        String said = value.isArray()
                ? value.valueStream().map(JsonNode::asString).collect(Collectors.joining(", "))
                : value.asString("");
        if (!said.isEmpty()) {
            text.append(label).append(said).append('.');
        }
    }
}
