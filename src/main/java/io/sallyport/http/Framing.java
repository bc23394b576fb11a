package io.sallyport.http;

/** How a message's content is delimited (RFC 9112 section 6): exactly one meaning, or the message is malformed. */
public sealed interface Framing {

    record None() implements Framing {}

    /** @param length of the content in bytes, 0 or more */
    record Length(long length) implements Framing {}

    record Chunked() implements Framing {}

    /** Answers only: the content ends where the connection does. */
    record UntilClose() implements Framing {}

    /**
     * The framing of a request. Two lengths, a length beside chunked, chunked not last or in HTTP/1.0, and every odd spelling of
     * either are malformed.
     */
    static Parsed<Framing> ofRequest(Fields fields, boolean http10) {
        throw new IllegalStateException("to be written: " + fields + http10);
    }

    /** The framing of an answer to {@code method}: HEAD, 1xx, 204 and 304 have no content whatever their fields say. */
    static Parsed<Framing> ofResponse(String method, int status, Fields fields) {
        throw new IllegalStateException("to be written: " + method + status + fields);
    }
}
