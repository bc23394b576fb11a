package io.sallyport.proxy;

import io.sallyport.http.Fields;

/**
 * A request's first line and fields as they were read: well-formed lines, of which nothing is judged yet.
 *
 * @param target in whatever form it came: origin, absolute, authority
 * @param http10 true where the peer speaks HTTP/1.0
 */
public record RawHead(String method, String target, boolean http10, Fields fields) {

    /** Whether the peer would send its content only after an interim answer (RFC 9110 section 10.1.1). */
    public boolean expectsContinue() {
        return !http10
                && fields.first("expect")
                        .map(value -> value.equalsIgnoreCase("100-continue"))
                        .orElse(false);
    }
}
