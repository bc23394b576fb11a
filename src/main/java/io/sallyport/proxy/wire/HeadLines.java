package io.sallyport.proxy.wire;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.sallyport.http.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * The lines of one header block in the order in which they came, as HPACK gave them out. The library's own collection puts pseudo-header
 * fields in front and drops the connection over a bad name; what a head means, and how that is answered, is ours to say.
 */
final class HeadLines extends DefaultHttp2Headers {

    private final List<Field> lines = new ArrayList<>(16);

    HeadLines() {
        super(false, false, 2);
    }

    @Override
    public Http2Headers add(CharSequence name, CharSequence value) {
        lines.add(new Field(name.toString(), value.toString()));
        return this;
    }

    /** Pseudo-header fields among them, with their colon. */
    List<Field> lines() {
        return lines;
    }
}
