package io.sallyport.credential.injection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.sallyport.http.RequestHead;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * What is signed: elements in order, put together so that two requests can't have one text. With a separator only the last element may
 * hold it; with lengths, each element may hold anything.
 *
 * @param separator between elements; empty where each is preceded by its length in bytes and a colon
 */
record HmacMessage(List<Element> elements, String separator, Timestamp timestamp) {

    enum Timestamp {
        SECONDS,
        MILLISECONDS,
        /** RFC 9110 section 5.6.7. */
        HTTP_DATE,
        /** RFC 3339, in whole seconds of UTC. */
        ISO;

        private static final DateTimeFormatter IMF = DateTimeFormatter.ofPattern(
                        "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
                .withZone(ZoneOffset.UTC);

        String text(Instant now) {
            return switch (this) {
                case SECONDS -> Long.toString(now.getEpochSecond());
                case MILLISECONDS -> Long.toString(now.toEpochMilli());
                case HTTP_DATE -> IMF.format(now);
                case ISO -> now.truncatedTo(ChronoUnit.SECONDS).toString();
            };
        }

        /** Which printable characters, besides letters and digits, it is written with. */
        String punctuation() {
            return switch (this) {
                case SECONDS -> "";
                case MILLISECONDS -> "";
                case HTTP_DATE -> ", :";
                case ISO -> "-:";
            };
        }
    }

    sealed interface Element {

        record Method() implements Element {}

        /** Path and query, as they are sent. */
        record Target() implements Element {}

        record Path() implements Element {}

        /** Without its question mark; empty where there is none. */
        record Query() implements Element {}

        /** With its port where that is written out. */
        record Host() implements Element {}

        record Time() implements Element {}

        record Content() implements Element {}

        /** In lower-case hexadecimal. */
        record ContentSha256() implements Element {}

        record Literal(String text) implements Element {}

        /** The value of one field, which has to be there once. @param name as it is sent */
        record Value(String name) implements Element {}
    }

    sealed interface Text {
        @SuppressWarnings("ArrayRecordComponent")
        record Bytes(byte[] bytes) implements Text {}

        record Missing(String field) implements Text {}
    }

    boolean ofContent() {
        return elements.stream()
                .anyMatch(element -> element instanceof Element.Content || element instanceof Element.ContentSha256);
    }

    Text text(RequestHead head, byte[] content, Instant now) {
        ByteArrayOutputStream text = new ByteArrayOutputStream(content.length + 256);
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof Element.Value(String name)
                    && head.fields().all(name).size() != 1) {
                return new Text.Missing(name);
            }
            byte[] bytes = bytes(elements.get(i), head, content, now);
            if (separator.isEmpty()) {
                text.writeBytes((bytes.length + ":").getBytes(ISO_8859_1));
            } else if (i > 0) {
                text.writeBytes(separator.getBytes(ISO_8859_1));
            }
            text.writeBytes(bytes);
        }
        return new Text.Bytes(text.toByteArray());
    }

    private byte[] bytes(Element element, RequestHead head, byte[] content, Instant now) {
        return switch (element) {
            case Element.Method ignored -> head.method().getBytes(ISO_8859_1);
            case Element.Target ignored -> head.target().text().getBytes(ISO_8859_1);
            case Element.Path ignored -> head.target().path().getBytes(ISO_8859_1);
            case Element.Query ignored ->
                (head.target().query() == null ? "" : head.target().query()).getBytes(ISO_8859_1);
            case Element.Host ignored -> head.origin().authority().getBytes(ISO_8859_1);
            case Element.Time ignored -> timestamp.text(now).getBytes(ISO_8859_1);
            case Element.Content ignored -> content;
            case Element.ContentSha256 ignored -> sha256(content).getBytes(ISO_8859_1);
            case Element.Literal(String text) -> text.getBytes(ISO_8859_1);
            case Element.Value(String name) ->
                head.fields().first(name).orElseThrow().getBytes(ISO_8859_1);
        };
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Why these elements could give two requests one text; null where they can't. */
    static @org.jspecify.annotations.Nullable String ambiguity(
            List<Element> elements, String separator, Timestamp timestamp) {
        for (int i = 0; i < elements.size() - 1 && !separator.isEmpty(); i++) {
            if (mayHold(elements.get(i), separator.charAt(0), timestamp)) {
                return "lets the separator stand within an element that is not the last, so that two requests could have one signature;"
                        + " allowed: separator newline or length, or that element at the end";
            }
        }
        return null;
    }

    private static boolean mayHold(Element element, char separator, Timestamp timestamp) {
        return switch (element) {
            case Element.Content ignored -> true;
            case Element.ContentSha256 ignored -> false;
            case Element.Literal(String text) -> text.indexOf(separator) >= 0;
            case Element.Time ignored -> timestamp.punctuation().indexOf(separator) >= 0;
            case Element.Method ignored -> "!#$%&'*+-.^_`|~".indexOf(separator) >= 0;
            // Neither heads nor targets have line ends.
            case Element.Target ignored -> separator != '\n';
            case Element.Path ignored -> separator != '\n';
            case Element.Query ignored -> separator != '\n';
            case Element.Host ignored -> separator != '\n';
            case Element.Value ignored -> separator != '\n';
        };
    }
}
