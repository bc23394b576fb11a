package io.sallyport.http;

/**
 * An answer as far as its empty line.
 *
 * @param status 100 to 599
 * @param reason the reason phrase, may be empty
 */
public record ResponseHead(int status, String reason, Fields fields, Framing framing, boolean http10) {

    public ResponseHead with(String otherReason, Fields otherFields) {
        return new ResponseHead(status, otherReason, otherFields, framing, http10);
    }
}
