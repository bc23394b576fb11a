package io.sallyport.proxy.wire;

import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.ResponseHead;
import java.util.ArrayList;
import java.util.List;

/** Heads and trailers of answers as HTTP/2 has them (RFC 9113 section 8.3.2): no reason phrase, names in lower case. */
final class Http2Answers {

    private static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length");

    private Http2Answers() {}

    /**
     * @param last true where the stream ends with it; then a Content-Length stays as it is, or away: it says what HEAD would have got, or
     *     that there is nothing
     */
    static Http2Headers head(ResponseHead head, boolean last) {
        boolean keepsLength = last && head.status() >= 200 && head.status() != 204;
        List<AsciiString> lines = lines(head.fields(), keepsLength);
        if (!last && head.framing() instanceof Framing.Length(long length)) {
            lines.add(CONTENT_LENGTH);
            lines.add(AsciiString.of(Long.toString(length)));
        }
        return ReadOnlyHttp2Headers.serverHeaders(
                false, AsciiString.of(Integer.toString(head.status())), lines.toArray(AsciiString[]::new));
    }

    static Http2Headers trailers(Fields fields) {
        return ReadOnlyHttp2Headers.trailers(false, lines(fields, false).toArray(AsciiString[]::new));
    }

    private static List<AsciiString> lines(Fields fields, boolean withLength) {
        List<AsciiString> lines = new ArrayList<>(2 * fields.size() + 2);
        for (Field line : fields) {
            if (withLength || !line.is("Content-Length")) {
                lines.add(new AsciiString(line.name()).toLowerCase());
                lines.add(new AsciiString(line.value()));
            }
        }
        return lines;
    }
}
