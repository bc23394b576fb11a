package io.sallyport.http;

import org.jspecify.annotations.Nullable;

/** How a message's content is delimited (RFC 9112 section 6): exactly one meaning, or the message is malformed. */
public sealed interface Framing {

    record None() implements Framing {}

    /** @param length of the content in bytes, 0 or more */
    record Length(long length) implements Framing {}

    record Chunked() implements Framing {}

    /** Answers only: the content ends where the connection does. */
    record UntilClose() implements Framing {}

    /** Content-Length has at most this many digits: the next more would overflow. */
    int MAX_DIGITS = 18;

    /**
     * The framing of a request. Two lengths (also where they agree), a length beside chunked, any coding but exactly one chunked,
     * chunked in HTTP/1.0, and every odd spelling of either are malformed.
     */
    static Parsed<Framing> ofRequest(Fields fields, boolean http10) {
        return declared(fields, http10, new None());
    }

    /** The framing of an answer to {@code method}: HEAD, 1xx, 204 and 304 have no content whatever their fields say. */
    static Parsed<Framing> ofResponse(String method, int status, Fields fields) {
        return ofResponse(method, status, fields, false);
    }

    /** @param http10 true where the origin answered in HTTP/1.0, which has no chunked */
    static Parsed<Framing> ofResponse(String method, int status, Fields fields, boolean http10) {
        boolean tunnel = method.equals("CONNECT") && status >= 200 && status < 300;
        if (method.equals("HEAD") || status < 200 || status == 204 || status == 304 || tunnel) {
            return Parsed.valid(new None());
        }
        return declared(fields, http10, new UntilClose());
    }

    private static Parsed<Framing> declared(Fields fields, boolean http10, Framing otherwise) {
        String length = null;
        String coding = null;
        for (Field line : fields) {
            if (line.is("Content-Length")) {
                if (length != null) {
                    return Parsed.malformed("there is more than one Content-Length");
                }
                length = line.value();
            } else if (line.is("Transfer-Encoding")) {
                if (coding != null) {
                    return Parsed.malformed("there is more than one Transfer-Encoding");
                }
                coding = line.value();
            }
        }
        return coding == null ? length(length, otherwise) : coding(coding, length, http10);
    }

    private static Parsed<Framing> coding(String coding, @Nullable String length, boolean http10) {
        if (http10) {
            return Parsed.malformed("HTTP/1.0 has no Transfer-Encoding");
        }
        if (length != null) {
            return Parsed.malformed("there are both Transfer-Encoding and Content-Length");
        }
        return coding.equalsIgnoreCase("chunked")
                ? Parsed.valid(new Chunked())
                : Parsed.malformed("the Transfer-Encoding must be 'chunked' and nothing else");
    }

    private static Parsed<Framing> length(@Nullable String text, Framing otherwise) {
        if (text == null) {
            return Parsed.valid(otherwise);
        }
        boolean plain = !text.isEmpty() && text.length() <= MAX_DIGITS && (text.length() == 1 || text.charAt(0) != '0');
        for (int i = 0; plain && i < text.length(); i++) {
            plain = text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        return plain
                ? Parsed.valid(new Length(Long.parseLong(text)))
                : Parsed.malformed(
                        "the Content-Length must be one number in decimal digits, without sign or leading zeros");
    }
}
