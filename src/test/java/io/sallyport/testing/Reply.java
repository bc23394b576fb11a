package io.sallyport.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.Locale;

/**
 * What an agent got, whatever version carried it.
 *
 * @param fields {@code name: value}, names in lower case
 * @param trailers likewise
 */
public record Reply(int status, List<String> fields, byte[] content, List<String> trailers) {

    static Reply of(RawClient.Answer answer) {
        return new Reply(
                answer.status(),
                lines(answer.head().lines().skip(1).toList()),
                answer.content(),
                lines(answer.trailers().lines().toList()));
    }

    static Reply of(RawHttp2Client.Answer answer) {
        List<String> head = answer.head();
        return new Reply(
                answer.status(),
                head.isEmpty() ? head : head.subList(1, head.size()),
                answer.content(),
                answer.heads().size() > 1 && answer.heads().getLast() != head
                        ? answer.heads().getLast()
                        : List.of());
    }

    private static List<String> lines(List<String> written) {
        return written.stream()
                .filter(line -> line.contains(":"))
                .map(line -> line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT)
                        + line.substring(line.indexOf(':')))
                .toList();
    }

    public List<String> field(String name) {
        String prefix = name.toLowerCase(Locale.ROOT) + ": ";
        return fields.stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .toList();
    }

    public String text() {
        return new String(content, ISO_8859_1);
    }

    @Override
    public String toString() {
        return status + " " + fields + " " + text();
    }
}
