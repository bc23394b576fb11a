package io.sallyport.proxy.wire;

import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2LocalFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Settings;

/** What a destination is told and granted on an HTTP/2 connection, and where patience with it ends. */
final class Http2UpstreamBuilder extends AbstractHttp2ConnectionHandlerBuilder<Http2Upstream, Http2UpstreamBuilder> {

    /** Bytes of one answer that may be under way, or wait here for an agent that does not take them. */
    static final int STREAM_WINDOW = 512 * 1024;

    /** Bytes of all answers that may be under way at one time; it is refilled as they come. */
    static final int CONNECTION_WINDOW = 8 * 1024 * 1024;

    /** Bytes of the table by which heads are compressed, in either direction. */
    static final int TABLE = 4096;

    /** Bytes of one head, counted as RFC 9113 section 6.5.2 says. */
    static final int HEAD = 64 * 1024;

    /** How long the last bytes get to leave a connection that is closed, in milliseconds. */
    private static final int GRACE = 1_000;

    private final UpstreamKey key;
    private final UpstreamPool pool;

    Http2UpstreamBuilder(UpstreamKey key, UpstreamPool pool) {
        this.key = key;
        this.pool = pool;
        Http2Connection connection = new DefaultHttp2Connection(false);
        connection.local().flowController(new DefaultHttp2LocalFlowController(connection, 0.5f, true));
        connection(connection);
        initialSettings(new Http2Settings()
                .pushEnabled(false)
                .initialWindowSize(STREAM_WINDOW)
                .maxHeaderListSize(HEAD));
        headerSensitivityDetector((name, value) -> value instanceof NeverIndexed);
        validateHeaders(true);
        gracefulShutdownTimeoutMillis(GRACE);
    }

    @Override
    protected Http2Upstream build() {
        return super.build();
    }

    @Override
    protected Http2Upstream build(
            Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
        return new Http2Upstream(Http2UpstreamCodec.watching(decoder, encoder, settings), key, pool);
    }
}
