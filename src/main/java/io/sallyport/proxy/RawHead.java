package io.sallyport.proxy;

import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Parsed;

/**
 * A request's first line and fields as they were read: well-formed lines, of which nothing is judged yet. Of HTTP/2 it is what HTTP/1.1
 * would have said, so that there is one reading of a request and not one for each version.
 *
 * @param target in whatever form it came: origin, absolute, authority
 * @param http10 true where the peer speaks HTTP/1.0
 * @param framing how its content is delimited, by the rules of its version
 */
public record RawHead(String method, String target, boolean http10, Fields fields, Parsed<Framing> framing) {

    /** Of HTTP/1, where fields say how the content is delimited. */
    public RawHead(String method, String target, boolean http10, Fields fields) {
        this(method, target, http10, fields, Framing.ofRequest(fields, http10));
    }

    /** Whether the peer would send its content only after an interim answer (RFC 9110 section 10.1.1). */
    public boolean expectsContinue() {
        return !http10
                && fields.first("expect")
                        .map(value -> value.equalsIgnoreCase("100-continue"))
                        .orElse(false);
    }
}
