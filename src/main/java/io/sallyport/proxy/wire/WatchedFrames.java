package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2FrameReader;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import org.jspecify.annotations.Nullable;

/**
 * Sees each frame before it has any effect, and lets it through while the connection can pay for it. Here, because behind the library's
 * decoder nobody hears of those for a stream that is over.
 */
final class WatchedFrames implements Http2FrameReader {

    /** DATA frames without content, one after the other. */
    private static final int EMPTY_FRAMES = 100;

    private final Http2FrameReader frames;
    private final FrameBudget budget;
    private final FrameBudget resets;
    private @Nullable Watcher watcher;
    private boolean seen;
    private int empty;

    WatchedFrames(Http2FrameReader frames, FrameBudget budget, FrameBudget resets) {
        this.frames = frames;
        this.budget = budget;
        this.resets = resets;
    }

    /** Content that went out. */
    void earn(int bytes) {
        budget.earn(bytes);
    }

    /**
     * A stream that the peer's frames broke costs what a reset of its own does: it has made us begin a request all the same.
     *
     * @param late true when the frame was for a stream that is gone, as those are that were on their way when it went
     */
    void streamError(boolean late) throws Http2Exception {
        (late ? budget : resets).spend(1);
    }

    /** Whether a frame has come since this was last asked; a head counts when it is whole. */
    boolean takeSeen() {
        boolean was = seen;
        seen = false;
        return was;
    }

    @Override
    public void readFrame(ChannelHandlerContext ctx, ByteBuf input, Http2FrameListener listener) throws Http2Exception {
        Watcher known = watcher;
        if (known == null || known.behind != listener) {
            known = new Watcher(listener);
            watcher = known;
        }
        frames.readFrame(ctx, input, known);
    }

    @Override
    public Configuration configuration() {
        return frames.configuration();
    }

    @Override
    public void close() {
        frames.close();
    }

    private void costs() throws Http2Exception {
        seen = true;
        budget.spend(1);
    }

    private final class Watcher extends Http2FrameListenerDecorator {
        private final Http2FrameListener behind;

        Watcher(Http2FrameListener behind) {
            super(behind);
            this.behind = behind;
        }

        @Override
        public int onDataRead(ChannelHandlerContext ctx, int stream, ByteBuf data, int padding, boolean end)
                throws Http2Exception {
            seen = true;
            boolean bare = !data.isReadable() && !end;
            empty = bare ? empty + 1 : 0;
            if (bare) {
                costs();
            }
            if (empty > EMPTY_FRAMES) {
                throw Http2Exception.connectionError(
                        Http2Error.ENHANCE_YOUR_CALM, "more than %d empty DATA frames in a row", EMPTY_FRAMES);
            }
            return super.onDataRead(ctx, stream, data, padding, end);
        }

        @Override
        public void onHeadersRead(ChannelHandlerContext ctx, int stream, Http2Headers headers, int padding, boolean end)
                throws Http2Exception {
            seen = true;
            super.onHeadersRead(ctx, stream, headers, padding, end);
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx,
                int stream,
                Http2Headers headers,
                int dependency,
                short weight,
                boolean exclusive,
                int padding,
                boolean end)
                throws Http2Exception {
            seen = true;
            super.onHeadersRead(ctx, stream, headers, dependency, weight, exclusive, padding, end);
        }

        /** Priorities are not followed (RFC 9113 section 5.3.2 lets a server leave them). */
        @Override
        public void onPriorityRead(
                ChannelHandlerContext ctx, int stream, int dependency, short weight, boolean exclusive)
                throws Http2Exception {
            costs();
        }

        @Override
        public void onRstStreamRead(ChannelHandlerContext ctx, int stream, long code) throws Http2Exception {
            seen = true;
            // CVE-2023-44487: requests that are cancelled at once cost their peer nothing, and no limit of streams sees
            // them.
            resets.spend(1);
            super.onRstStreamRead(ctx, stream, code);
        }

        @Override
        public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) throws Http2Exception {
            costs();
            super.onSettingsRead(ctx, settings);
        }

        @Override
        public void onPingRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
            costs();
            super.onPingRead(ctx, data);
        }

        @Override
        public void onPingAckRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
            costs();
            super.onPingAckRead(ctx, data);
        }

        @Override
        public void onSettingsAckRead(ChannelHandlerContext ctx) throws Http2Exception {
            costs();
            super.onSettingsAckRead(ctx);
        }

        @Override
        public void onGoAwayRead(ChannelHandlerContext ctx, int last, long code, ByteBuf words) throws Http2Exception {
            costs();
            super.onGoAwayRead(ctx, last, code, words);
        }

        @Override
        public void onWindowUpdateRead(ChannelHandlerContext ctx, int stream, int increment) throws Http2Exception {
            costs();
            super.onWindowUpdateRead(ctx, stream, increment);
        }

        @Override
        public void onUnknownFrame(ChannelHandlerContext ctx, byte type, int stream, Http2Flags flags, ByteBuf payload)
                throws Http2Exception {
            costs();
            super.onUnknownFrame(ctx, type, stream, flags, payload);
        }
    }
}
