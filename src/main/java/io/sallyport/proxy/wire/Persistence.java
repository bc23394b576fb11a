package io.sallyport.proxy.wire;

import io.sallyport.http.Fields;
import io.sallyport.proxy.RawHead;

/** Whether the agent's connection outlives this answer (RFC 9112 section 9.3), and how it is told. */
enum Persistence {
    /** HTTP/1.1: needs no word. */
    KEEP(""),
    /** HTTP/1.0, on the peer's request. */
    KEEP_OLD("keep-alive"),
    CLOSE("close");

    private final String field;

    Persistence(String field) {
        this.field = field;
    }

    static Persistence of(RawHead raw) {
        if (raw.http10()) {
            return has(raw.fields(), "keep-alive") ? KEEP_OLD : CLOSE;
        }
        return has(raw.fields(), "close") ? CLOSE : KEEP;
    }

    /** The value of the Connection field; empty for none. */
    String field() {
        return field;
    }

    boolean closes() {
        return this == CLOSE;
    }

    Persistence orClose(boolean close) {
        return close ? CLOSE : this;
    }

    static boolean has(Fields fields, String option) {
        return fields.lists("connection", option) || fields.lists("proxy-connection", option);
    }
}
