package io.sallyport.http;

/**
 * A request as far as its empty line: well-formed, one destination, one framing.
 *
 * @param method as sent; case-sensitive
 * @param http10 true where the peer speaks HTTP/1.0
 */
public record RequestHead(String method, Origin origin, Target target, Fields fields, Framing framing, boolean http10) {

    public RequestHead withFields(Fields other) {
        return new RequestHead(method, origin, target, other, framing, http10);
    }

    public RequestHead withTarget(Target other) {
        return new RequestHead(method, origin, other, fields, framing, http10);
    }

    public RequestHead withFraming(Framing other) {
        return new RequestHead(method, origin, target, fields, other, http10);
    }
}
