package io.sallyport.rules;

import io.sallyport.document.Forms;
import io.sallyport.document.Problem;
import io.sallyport.document.Reading.Unreadable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What every document begins with: the version of this language, its kind and its name. */
final class Header {

    static final String VERSION_KEY = "sallyport";

    private static final String VERSION = "v1";

    private Header() {}

    /** What is wrong with it; empty for nothing. */
    static List<Problem> problems(Source source, Map<String, Object> keys) {
        List<Problem> problems = new ArrayList<>();
        if (keys.isEmpty() || !keys.keySet().iterator().next().equals(VERSION_KEY)) {
            problems.add(new Problem(VERSION_KEY, "must be the first key; allowed: sallyport: v1"));
        } else if (!VERSION.equals(keys.get(VERSION_KEY))) {
            problems.add(new Problem(VERSION_KEY, "is of a version that is unknown; allowed: v1"));
        }
        List<Kind> kinds = Arrays.stream(Kind.values())
                .filter(kind -> keys.containsKey(kind.key()))
                .toList();
        if (kinds.size() != 1) {
            problems.add(new Problem(
                    "", "must be of one kind; allowed: one of the keys identity, credential, policy, with the name"));
        } else if (kinds.getFirst() != source.kind()) {
            Kind kind = kinds.getFirst();
            problems.add(new Problem(
                    kind.key(), "is of a kind that does not belong here; allowed: " + kind.folder() + "/NAME.yml"));
        } else {
            name(source, keys.get(source.kind().key()), problems);
        }
        return problems;
    }

    private static void name(Source source, @org.jspecify.annotations.Nullable Object written, List<Problem> problems) {
        String key = source.kind().key();
        if (written == null || !source.name().equals(written)) {
            problems.add(new Problem(key, "must be the document's name; allowed: " + source.name()));
        } else if (Forms.NAMED.read(written) instanceof Unreadable<String>(String what)) {
            problems.add(new Problem(key, what));
        } else if (source.kind() == Kind.CREDENTIAL && written.equals("none")) {
            problems.add(new Problem(key, "can't be called none, which scopes write for no credential"));
        }
    }

    /** As lines for a person. */
    static List<String> lines(Source source, ParsedDocument document, List<Problem> problems) {
        return problems.stream()
                .sorted(java.util.Comparator.comparingInt(problem -> document.line(problem.where())))
                .map(problem -> source.place() + ":" + document.line(problem.where()) + ": "
                        + (problem.where().isEmpty() ? "the document" : problem.where() + ":") + " " + problem.what())
                .collect(Collectors.toList());
    }
}
