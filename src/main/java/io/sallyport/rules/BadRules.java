package io.sallyport.rules;

import java.util.List;

/** Start is refused: there is no older book to keep. */
public final class BadRules extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    public BadRules(List<String> problems) {
        super("The rules can't be used:\n  " + String.join("\n  ", problems));
        this.problems = List.copyOf(problems);
    }

    /** One line each. */
    public List<String> problems() {
        return problems;
    }
}
