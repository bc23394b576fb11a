package io.sallyport.proxy.wire;

import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2PromisedRequestVerifier;
import io.netty.handler.codec.http2.Http2Settings;

/**
 * The library's parts for one connection to a destination, with its frames watched.
 *
 * @param age by whose sweeps the frames are counted
 */
record Http2UpstreamCodec(
        Http2ConnectionDecoder decoder,
        Http2ConnectionEncoder encoder,
        Http2Settings settings,
        WatchedFrames frames,
        UpstreamAge age) {

    /** Frames that answer nothing, from one sweep to the next, besides those that what we send pays for. */
    private static final int FLOOD = 2_000;

    /** CVE-2024-27316: frames of a header block that are nearly empty. */
    private static final int SMALL_CONTINUATIONS = 16;

    /** @param built by the library; all but its reader is used */
    static Http2UpstreamCodec watching(
            Http2ConnectionDecoder built, Http2ConnectionEncoder encoder, Http2Settings settings) {
        UpstreamAge age = new UpstreamAge();
        // Any sweep begins a new stretch, also one that comes a little early.
        FrameBudget budget = new FrameBudget(FLOOD, UpstreamPool.SWEEP.dividedBy(2), age);
        WatchedFrames frames = new WatchedFrames(
                new DefaultHttp2FrameReader(
                        new DefaultHttp2HeadersDecoder(true, Http2UpstreamBuilder.HEAD), SMALL_CONTINUATIONS),
                budget,
                budget);
        Http2ConnectionDecoder decoder = new DefaultHttp2ConnectionDecoder(
                built.connection(), encoder, frames, Http2PromisedRequestVerifier.ALWAYS_VERIFY, true, true, true);
        return new Http2UpstreamCodec(decoder, encoder, settings, frames, age);
    }
}
