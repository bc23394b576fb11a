package io.sallyport.proxy.wire;

import io.netty.handler.codec.http2.DecoratingHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2LocalFlowController;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2PromisedRequestVerifier;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.sallyport.proxy.ProxySettings;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The library's parts for one agent's connection, set to hold little and to judge nothing that is ours to judge.
 *
 * @param key of the stream's own request
 */
record Http2Codec(
        Http2ConnectionDecoder decoder,
        Http2ConnectionEncoder encoder,
        Http2Settings settings,
        WatchedFrames frames,
        Http2Connection.PropertyKey key) {

    /** All names and values of a head, with 32 bytes for each line (RFC 9113 section 6.5.2): like a head of HTTP/1. */
    private static final int HEAD = 64 * 1024;

    /** A header block on the wire. A head that is larger than it may be, and not by far, gets a 431 and not the end of the connection. */
    private static final long BLOCK = 4L * HEAD;

    /** CVE-2024-27316: frames of a header block that are nearly empty. */
    private static final int SMALL_CONTINUATIONS = 16;

    /** A peer may offer a table of any size; ours stays as small as HPACK begins. */
    private static final long TABLE = 4096;

    /** Content on its way. What holds a peer back is each stream's window: this one opens again at once, or one stream would stop all. */
    private static final int CONNECTION_WINDOW = 4 * 1024 * 1024;

    private static final Duration MINUTE = Duration.ofMinutes(1);

    static Http2Codec server(ProxySettings.Http2 limits, LongSupplier nanos) {
        Http2Connection connection = new DefaultHttp2Connection(true, 0);
        connection.remote().maxActiveStreams(limits.streams());
        connection
                .local()
                .flowController(new DefaultHttp2LocalFlowController(
                        connection, DefaultHttp2LocalFlowController.DEFAULT_WINDOW_UPDATE_RATIO, true));
        // Every stream alike: priorities would be one more thing that a peer can make us keep.
        connection
                .remote()
                .flowController(
                        new DefaultHttp2RemoteFlowController(connection, new UniformStreamByteDistributor(connection)));
        Http2ConnectionEncoder encoder =
                new SmallTable(new DefaultHttp2ConnectionEncoder(connection, new DefaultHttp2FrameWriter()));
        WatchedFrames frames = new WatchedFrames(
                new DefaultHttp2FrameReader(new Lines(), SMALL_CONTINUATIONS),
                new FrameBudget(limits.controlFrames(), MINUTE, nanos),
                new FrameBudget(limits.resets(), MINUTE, nanos));
        return new Http2Codec(
                new Decoder(connection, encoder, frames),
                encoder,
                new Http2Settings()
                        .maxConcurrentStreams(limits.streams())
                        .initialWindowSize(limits.window())
                        .connectProtocolEnabled(true)
                        .maxHeaderListSize(HEAD),
                frames,
                connection.newKey());
    }

    void openConnectionWindow() throws Http2Exception {
        decoder.flowController()
                .incrementWindowSize(
                        decoder.connection().connectionStream(),
                        CONNECTION_WINDOW - Http2CodecUtil.DEFAULT_WINDOW_SIZE);
    }

    private static final class Lines extends DefaultHttp2HeadersDecoder {
        Lines() {
            super(false, HEAD);
        }

        @Override
        public long maxHeaderListSizeGoAway() {
            return BLOCK;
        }

        @Override
        protected Http2Headers newHeaders() {
            return new HeadLines();
        }
    }

    private static final class Decoder extends DefaultHttp2ConnectionDecoder {
        Decoder(Http2Connection connection, Http2ConnectionEncoder encoder, WatchedFrames frames) {
            super(connection, encoder, frames, Http2PromisedRequestVerifier.ALWAYS_VERIFY, true, true, false, false);
        }

        @Override
        protected long calculateMaxHeaderListSizeGoAway(long maxHeaderListSize) {
            return BLOCK;
        }
    }

    private static final class SmallTable extends DecoratingHttp2ConnectionEncoder {
        SmallTable(Http2ConnectionEncoder encoder) {
            super(encoder);
        }

        @Override
        public void remoteSettings(Http2Settings settings) throws Http2Exception {
            Long offered = settings.headerTableSize();
            if (offered != null && offered > TABLE) {
                settings.headerTableSize(TABLE);
            }
            super.remoteSettings(settings);
        }
    }
}
