package io.sallyport.http;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Fields and parameters by which a request tells the origin another method or path than the one on its first line. What was judged
 * would not be what is done, so such a request is refused.
 */
public final class Overrides {

    private static final FoldedNames FIELDS = FoldedNames.of(Set.of(
            "x-http-method-override",
            "x-http-method",
            "x-method-override",
            "x-original-method",
            "x-original-url",
            "x-original-uri",
            "x-rewrite-url",
            "x-override-url"));

    /** Exact but for case: {@code method} without its underscore is an everyday parameter. */
    private static final Set<String> PARAMETERS =
            Set.of("_method", "$httpmethod", "x-http-method-override", "x-http-method", "x-method-override");

    private Overrides() {}

    /** What overrides the request line, by name, as a reason to refuse; empty for nothing. */
    public static Optional<String> in(Fields fields, Target target) {
        for (Field line : fields) {
            if (FIELDS.find(line.name()) instanceof String name) {
                return Optional.of("the field " + name + " tells another method or path than the request line");
            }
        }
        return target.query() == null ? Optional.empty() : in(new QueryNames(target.query()));
    }

    private static Optional<String> in(QueryNames parameters) {
        while (parameters.advance()) {
            String name = parameters.plainName().toLowerCase(Locale.ROOT);
            if (PARAMETERS.contains(name)) {
                return Optional.of("the query parameter " + name + " tells another method than the request line");
            }
        }
        return Optional.empty();
    }
}
