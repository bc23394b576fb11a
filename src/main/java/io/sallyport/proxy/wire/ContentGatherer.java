package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.sallyport.credential.PlaceholderWatch;
import io.sallyport.credential.TokenMarks;
import io.sallyport.proxy.ContentBudget;
import io.sallyport.proxy.RequestHash;
import io.sallyport.proxy.Window;
import io.sallyport.proxy.flow.Command.Gathering;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Collects a request's content into windows, hashing as it goes. Holds one window at most; what is in it has left the socket, not us. */
final class ContentGatherer {

    /** A window closes at this size at the latest. */
    static final int WINDOW = 1024 * 1024;

    /** And at this one where the hop holds as much content as it may. */
    static final int SMALL_WINDOW = 64 * 1024;

    private static final String EMPTY_SHA256 =
            HexFormat.of().formatHex(RequestHash.sha256().digest());

    /** Who is told. */
    interface Listener {
        /** The bytes are the listener's to release. */
        void closed(Window window, ByteBuf bytes);

        /** A task token stands in what has come. */
        void tokenSeen();

        /** More has come than the limit allows. */
        void tooLarge();

        /** What is gathered whole has no room, since the hop holds as much as it may. */
        void noRoom();

        /** A credential's placeholder stands in what has come. */
        void placeholderSeen();
    }

    private final EventLoop loop;
    private final Duration patience;
    private final TokenMarks marks;
    private final Listener listener;
    private ContentBudget.@Nullable Share share;
    private @Nullable MessageDigest digest;
    private final Pieces pending = new Pieces();
    private @Nullable Gathering asked;
    private @Nullable ScheduledFuture<?> alarm;
    private long offset;

    /** Content that is pending, in bytes. */
    private long noted;

    private long limit = Long.MAX_VALUE;

    /** What the head says that it will be; below zero for nothing. */
    private long promised = -1;

    private boolean empty;
    private boolean ended;
    private boolean stopped;
    private TokenMarks.@Nullable Watch watch;
    private boolean token;
    private List<PlaceholderWatch> placeholders = List.of();
    private boolean placeholder;
    private boolean whole;

    ContentGatherer(EventLoop loop, Duration patience, TokenMarks marks, Listener listener) {
        this.loop = loop;
        this.patience = patience;
        this.marks = marks;
        this.listener = listener;
    }

    boolean wantsMore() {
        return !stopped && !full();
    }

    boolean ended() {
        return ended;
    }

    /** Whether only the peer can move this on: with more content, or with the word that this was all. */
    boolean waitsForPeer() {
        return !stopped && !ended && (!full() || asPromised());
    }

    /** Set before any content comes. @param bytes that the destination is told will come */
    void promise(long bytes) {
        promised = bytes;
    }

    /**
     * The destination would take what it has then for the request, and act on it. In HTTP/2 it is none before its stream has ended: more
     * may come than was promised, or the peer may take it back (RFC 9113 section 8.1.1).
     */
    private boolean asPromised() {
        return offset + noted == promised;
    }

    /** No content comes, so that its end is as good as here. */
    void expectNothing() {
        empty = true;
    }

    /** Set before any content comes. @param bytes of content in all */
    void limit(long bytes) {
        limit = bytes;
    }

    /** What is held counts there, and windows become small where it is spent. */
    void holdAgainst(ContentBudget.Share budget) {
        share = budget;
    }

    /** Set before any content comes. @param watches for what must not stand in it */
    void watch(List<PlaceholderWatch> watches) {
        placeholders = watches;
    }

    private boolean full() {
        return !whole && windowFull();
    }

    private boolean windowFull() {
        return size() >= WINDOW || (size() >= SMALL_WINDOW && share != null && share.tight());
    }

    void ask(Gathering how) {
        asked = how;
        switch (how) {
            case EMPTY -> close();
            case WHOLE -> {
                whole = true;
                closeIfComplete();
            }
            case PATIENT -> {
                if (!closeIfComplete() && !empty) {
                    alarm = loop.schedule(this::close, patience.toNanos(), TimeUnit.NANOSECONDS);
                }
            }
            case EAGER -> {
                if (!closeIfComplete() && size() > 0) {
                    close();
                }
            }
        }
    }

    void add(ByteBuf piece) {
        note(piece);
        hold(piece);
    }

    /** Hashes and counts content that leaves in a coding, before its coded form is {@link #hold held}. */
    void note(ByteBuf content) {
        if (!stopped) {
            hash(content);
            noted += content.readableBytes();
            token |= seesToken(content);
            placeholder |= seesPlaceholder(content);
        }
    }

    /** What is to leave: content as it is, or coded. Takes it over. */
    void hold(ByteBuf coded) {
        if (stopped) {
            coded.release();
            return;
        }
        if (share != null) {
            share.take(coded.readableBytes());
        }
        pending.add(coded);
        if (token) {
            stop();
            listener.tokenSeen();
        } else if (placeholder) {
            stop();
            listener.placeholderSeen();
        } else if (whole && share != null && share.tight() && size() >= SMALL_WINDOW) {
            // Windows can shrink; what has to be here whole can't.
            stop();
            listener.noRoom();
        } else if (offset + noted > limit) {
            stop();
            listener.tooLarge();
        } else {
            closeIfComplete();
        }
    }

    void end() {
        ended = true;
        closeIfComplete();
    }

    /** Nothing more is there to read just now. */
    void pause() {
        if (asked == Gathering.EAGER && size() > 0) {
            close();
        }
    }

    /** Nothing of what is here, or comes, will be used. */
    void stop() {
        stopped = true;
        asked = null;
        cancelAlarm();
        pending.take().release();
    }

    private int size() {
        return pending.size();
    }

    private boolean closeIfComplete() {
        if (asked == null || (!ended && !full())) {
            return false;
        }
        close();
        return true;
    }

    private void close() {
        if (stopped || asked == null || (asPromised() && !ended)) {
            return;
        }
        asked = null;
        cancelAlarm();
        ByteBuf bytes = pending.take();
        Window window = new Window(offset, noted, prefix(), ended);
        offset += noted;
        noted = 0;
        listener.closed(window, bytes);
    }

    private String prefix() {
        if (digest == null) {
            return EMPTY_SHA256;
        }
        try {
            // The running state goes on; a copy of it gives the prefix.
            MessageDigest copy = ended ? digest : (MessageDigest) digest.clone();
            return HexFormat.of().formatHex(copy.digest());
        } catch (CloneNotSupportedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void hash(ByteBuf piece) {
        if (digest == null) {
            digest = RequestHash.sha256();
        }
        for (ByteBuffer part : piece.nioBuffers()) {
            digest.update(part);
        }
    }

    private boolean seesToken(ByteBuf content) {
        if (watch == null) {
            watch = marks.watch();
        }
        boolean seen = false;
        for (ByteBuffer part : content.nioBuffers()) {
            seen |= watch.sees(part);
        }
        return seen;
    }

    private boolean seesPlaceholder(ByteBuf content) {
        boolean seen = false;
        for (PlaceholderWatch each : placeholders) {
            for (ByteBuffer part : content.nioBuffers()) {
                seen |= each.sees(part);
            }
        }
        return seen;
    }

    private void cancelAlarm() {
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
    }
}
