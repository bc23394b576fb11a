package io.sallyport.credential.aws;

import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Target;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The one text that both ends make of a request and sign.
 *
 * @param fields name and value of each signed field, one to a line
 * @param signedNames of those fields, in lower case, sorted, joined by semicolons
 * @param payload SHA-256 of the content in hex, or one of the words that stand in its place
 */
record CanonicalRequest(String method, String path, String query, String fields, String signedNames, String payload) {

    private record Parameter(String name, String value) {}

    /** @param signed which fields are signed, by their names in lower case */
    static CanonicalRequest of(
            String method, Target target, Fields fields, PathStyle style, Predicate<String> signed, String payload) {
        Map<String, String> lines = lines(fields, signed);
        StringBuilder text = new StringBuilder();
        lines.forEach(
                (name, value) -> text.append(name).append(':').append(value).append('\n'));
        return new CanonicalRequest(
                method,
                style.canonical(target.path()),
                query(target.query()),
                text.toString(),
                String.join(";", lines.keySet()),
                payload);
    }

    String text() {
        return method + "\n" + path + "\n" + query + "\n" + fields + "\n" + signedNames + "\n" + payload;
    }

    /** Lines of one name are joined by commas, in the order in which they are sent. */
    static Map<String, String> lines(Fields fields, Predicate<String> signed) {
        Map<String, String> lines = new TreeMap<>();
        for (Field field : fields) {
            String name = field.name().toLowerCase(Locale.ROOT);
            if (signed.test(name)) {
                lines.merge(name, trimmed(field.value()), (one, other) -> one + "," + other);
            }
        }
        return lines;
    }

    /** Runs of white space are one space, and none is at the ends. */
    private static String trimmed(String value) {
        return value.replaceAll("\\s+", " ").strip();
    }

    /** Sorted by the octets of their escaped names, then values. */
    static String query(@Nullable String raw) {
        if (raw == null || raw.isEmpty()) {
            return "";
        }
        List<Parameter> parameters = new ArrayList<>();
        for (String part : raw.split("&")) {
            if (!part.isEmpty()) {
                int equals = part.indexOf('=');
                String name = equals < 0 ? part : part.substring(0, equals);
                String value = equals < 0 ? "" : part.substring(equals + 1);
                parameters.add(new Parameter(UriEncoding.complete(name, false), UriEncoding.complete(value, false)));
            }
        }
        parameters.sort(Comparator.comparing(Parameter::name).thenComparing(Parameter::value));
        StringBuilder text = new StringBuilder(raw.length() + 16);
        for (Parameter parameter : parameters) {
            text.append(text.isEmpty() ? "" : "&")
                    .append(parameter.name())
                    .append('=')
                    .append(parameter.value());
        }
        return text.toString();
    }
}
