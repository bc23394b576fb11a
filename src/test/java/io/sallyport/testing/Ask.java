package io.sallyport.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One request as an agent means it; how it is written is its {@link Door}'s affair.
 *
 * @param fields {@code Name: value}, without what the door adds
 * @param content null for none
 * @param says the length that the head promises; below zero for none: chunks, or the end of the stream
 * @param trailers {@code Name: value}, behind content without a length
 */
public record Ask(
        String method, String path, List<String> fields, byte @Nullable [] content, long says, List<String> trailers) {

    /** @param line method and path, as in {@code GET /v1/x} */
    public static Ask of(String line, String... fields) {
        int space = line.indexOf(' ');
        return new Ask(line.substring(0, space), line.substring(space + 1), List.of(fields), null, -1, List.of());
    }

    /** With a content whose length is said. */
    public Ask content(byte[] bytes) {
        return new Ask(method, path, fields, bytes, bytes.length, trailers);
    }

    /** With a content whose length nobody knows before. */
    public Ask unsized(byte[] bytes) {
        return new Ask(method, path, fields, bytes, -1, trailers);
    }

    /** With a head that promises so many bytes, whatever comes. */
    public Ask saying(long length) {
        return new Ask(method, path, fields, content, length, trailers);
    }

    public Ask trailers(String... lines) {
        return new Ask(method, path, fields, content, says, List.of(lines));
    }

    public Ask with(String field) {
        List<String> more = new ArrayList<>(fields);
        more.add(field);
        return new Ask(method, path, more, content, says, trailers);
    }

    /** The scope of {@link Door#POLICY} that it belongs to, without its kind. */
    String scope() {
        if (path.startsWith("/small")) {
            return "small";
        }
        if (path.startsWith("/any/")) {
            return "any";
        }
        return method.equals("GET") || method.equals("HEAD") ? "read" : "write";
    }

    /** Names and values in turn, names in lower case. */
    static List<String> inTurn(List<String> lines) {
        List<String> turned = new ArrayList<>();
        for (String line : lines) {
            int colon = line.indexOf(':', 1);
            turned.add(line.substring(0, colon).toLowerCase(Locale.ROOT));
            turned.add(line.substring(colon + 1).strip());
        }
        return turned;
    }
}
