package io.sallyport.proxy;

import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.HopByHop;

/** Which fields cross the hop (RFC 9110 section 7.6), in either direction. */
public final class Forwarding {

    private Forwarding() {}

    /**
     * What of a request's fields goes on. It runs before anything is injected, so that a Connection field can't name our credential
     * away.
     */
    static Fields request(Fields fields, boolean credentialed) {
        Fields forwarded = HopByHop.strip(fields);
        // A coding would hide an echoed secret from the scrubber. gRPC codes its messages each by itself.
        if (credentialed && forwarded.has("grpc-accept-encoding")) {
            forwarded = forwarded.with(new Field("grpc-accept-encoding", "identity"));
        }
        return credentialed ? forwarded.with(new Field("Accept-Encoding", "identity")) : forwarded;
    }

    /** What of an answer's fields goes on. Alt-Svc would lead the agent around the hop. */
    public static Fields answer(Fields fields) {
        return HopByHop.strip(fields).without("alt-svc");
    }

    /**
     * What of an answer to a credentialed request goes on: a session that our credential opened is as good as the credential, for whoever
     * carries it elsewhere. The agent could not use it here, where its cookies are taken off.
     */
    public static Fields withoutSession(Fields fields) {
        return fields.without(line -> line.is("Set-Cookie") || line.is("Set-Cookie2"));
    }
}
