package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Parsed;
import io.sallyport.http.ResponseHead;
import org.jspecify.annotations.Nullable;

/**
 * The answer on one stream of a destination, read strictly (RFC 9113 section 8.1): interim heads, a head, content as long as it says,
 * trailers. Whoever listens is told; what is wrong is said to the caller, and nothing more is told then.
 */
final class StreamAnswer {

    private enum Stage {
        AWAITED,
        BEGUN,
        ENDED
    }

    private UpstreamStream.@Nullable Listener listener;
    private String method = "";
    private Stage stage = Stage.AWAITED;
    private Framing framing = new Framing.None();
    private int interim;
    private long received;
    private boolean goesOn;

    /** @param asked the request's method */
    void serve(UpstreamStream.Listener next, String asked) {
        listener = next;
        method = asked;
    }

    /** Nobody listens from now on. @return who did */
    UpstreamStream.@Nullable Listener leave() {
        UpstreamStream.Listener who = listener;
        listener = null;
        return who;
    }

    boolean heard() {
        return listener != null;
    }

    /** Whether more of it may come: what nobody hears is taken and thrown away. */
    boolean wanted() {
        return listener == null || listener.wantsAnswer();
    }

    /** Whether the destination has said anything. */
    boolean begun() {
        return stage != Stage.AWAITED || interim > 0;
    }

    boolean ended() {
        return stage == Stage.ENDED;
    }

    /** Whether its stream has to be ended by us, should the destination not do it. */
    boolean goesOn() {
        return goesOn;
    }

    void paused() {
        if (listener != null) {
            listener.answerPaused();
        }
    }

    /** @return what is wrong; null for nothing */
    @Nullable
    String headers(Http2Headers headers, boolean last) {
        return switch (stage) {
            case AWAITED ->
                switch (Http2Heads.answer(headers)) {
                    case Parsed.Malformed<Http2Heads.RawAnswer>(String reason) -> reason;
                    case Parsed.Valid<Http2Heads.RawAnswer>(Http2Heads.RawAnswer raw) ->
                        raw.status() < 200 ? interim(raw, last) : head(raw, last);
                };
            case BEGUN ->
                switch (Http2Heads.trailers(headers)) {
                    case Parsed.Malformed<Fields>(String reason) -> reason;
                    case Parsed.Valid<Fields>(Fields fields) ->
                        last ? end(fields) : "a second head does not end the answer";
                };
            case ENDED -> null;
        };
    }

    private @Nullable String interim(Http2Heads.RawAnswer raw, boolean last) {
        interim++;
        if (last) {
            return "an interim answer is the last";
        }
        if (interim > UpstreamStream.INTERIM_AT_MOST) {
            return UpstreamStream.TOO_MANY_INTERIM;
        }
        tell(raw, new Framing.None());
        return null;
    }

    private @Nullable String head(Http2Heads.RawAnswer raw, boolean last) {
        return switch (Framing.ofResponse(method, raw.status(), raw.fields())) {
            case Parsed.Malformed<Framing>(String reason) -> reason;
            case Parsed.Valid<Framing>(Framing declared) -> {
                framing = declared;
                stage = Stage.BEGUN;
                if (last && declared instanceof Framing.Length(long length) && length > 0) {
                    yield "the answer has no content, and a length";
                }
                tell(raw, delimited(declared, last));
                // What has no content is whole with its head: nobody is to wait for a stream that goes on all the same.
                goesOn = !last && declared instanceof Framing.None;
                yield last || goesOn ? end(Fields.EMPTY) : null;
            }
        };
    }

    /** Without a length it is the stream's end that delimits, and never the connection's. After no content there may be trailers. */
    private static Framing delimited(Framing declared, boolean last) {
        return switch (declared) {
            case Framing.None none -> none;
            case Framing.Length(long length) when length > 0 -> declared;
            case Framing.Length ignored -> last ? declared : new Framing.Chunked();
            case Framing.UntilClose ignored -> last ? new Framing.Length(0) : new Framing.Chunked();
            case Framing.Chunked ignored -> declared;
        };
    }

    private void tell(Http2Heads.RawAnswer raw, Framing as) {
        if (listener != null) {
            listener.answerHead(new ResponseHead(raw.status(), Reasons.of(raw.status()), raw.fields(), as, false));
        }
    }

    /**
     * Leaves the bytes to the caller.
     *
     * @param last whether they end the stream
     * @return what is wrong; null for nothing
     */
    @Nullable
    String content(ByteBuf data, boolean last) {
        received += data.readableBytes();
        if (stage == Stage.AWAITED) {
            return "content comes before a head";
        }
        if (stage == Stage.ENDED || received > most()) {
            return "the content is longer than the head says";
        }
        if (listener != null && data.isReadable()) {
            listener.answerContent(data.readRetainedSlice(data.readableBytes()), last);
        }
        return last ? end(Fields.EMPTY) : null;
    }

    private long most() {
        return switch (framing) {
            case Framing.None ignored -> 0;
            case Framing.Length(long length) -> length;
            case Framing.Chunked ignored -> Long.MAX_VALUE;
            case Framing.UntilClose ignored -> Long.MAX_VALUE;
        };
    }

    private @Nullable String end(Fields trailers) {
        UpstreamStream.Listener to = listener;
        if (to == null) {
            return null;
        }
        if (framing instanceof Framing.Length(long length) && received != length) {
            return "the content is shorter than the head says";
        }
        stage = Stage.ENDED;
        to.answerEnded(trailers);
        return null;
    }
}
