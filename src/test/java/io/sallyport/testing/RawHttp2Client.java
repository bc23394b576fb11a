package io.sallyport.testing;

import static io.sallyport.testing.Http2Frame.ACK;
import static io.sallyport.testing.Http2Frame.CONTINUATION;
import static io.sallyport.testing.Http2Frame.DATA;
import static io.sallyport.testing.Http2Frame.END_HEADERS;
import static io.sallyport.testing.Http2Frame.END_STREAM;
import static io.sallyport.testing.Http2Frame.GOAWAY;
import static io.sallyport.testing.Http2Frame.HEADERS;
import static io.sallyport.testing.Http2Frame.INITIAL_WINDOW_SIZE;
import static io.sallyport.testing.Http2Frame.PING;
import static io.sallyport.testing.Http2Frame.RST_STREAM;
import static io.sallyport.testing.Http2Frame.SETTINGS;
import static io.sallyport.testing.Http2Frame.WINDOW_UPDATE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An agent's end of an HTTP/2 connection, frame by frame: sends exactly what a test writes, in whatever order and however wrong, and reads
 * what comes back. It acknowledges SETTINGS and PING, and opens its windows as it reads, unless told not to.
 */
public final class RawHttp2Client implements AutoCloseable {

    /**
     * @param heads each header block of the stream in order: interim ones, the head, trailers; names and values in lines
     * @param reset the code of a RST_STREAM, -1 without one
     */
    public record Answer(List<List<String>> heads, byte[] content, boolean ended, int reset) {

        public List<String> head() {
            return heads.stream()
                    .filter(head -> !head.getFirst().startsWith(":status: 1"))
                    .findFirst()
                    .orElse(List.of());
        }

        public int status() {
            return head().isEmpty() ? -1 : Integer.parseInt(head().getFirst().substring(":status: ".length()));
        }

        public List<String> field(String name) {
            return head().stream()
                    .filter(line -> line.startsWith(name + ": "))
                    .map(line -> line.substring(name.length() + 2))
                    .toList();
        }

        public String text() {
            return new String(content, ISO_8859_1);
        }
    }

    private static final class Stream {
        private final List<List<String>> heads = new ArrayList<>();
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();
        private boolean ended;
        private int reset = -1;
        private long sent;
        private long opened;

        boolean over() {
            return ended || reset >= 0;
        }

        Answer answer() {
            return new Answer(List.copyOf(heads), content.toByteArray(), ended, reset);
        }
    }

    private final RawClient socket;
    private final DataInputStream in;
    private final DefaultHttp2HeadersDecoder hpack = new DefaultHttp2HeadersDecoder(false);
    private final Map<Integer, Stream> streams = new TreeMap<>();
    private final List<Http2Frame> frames = new ArrayList<>();
    private final ByteArrayOutputStream block = new ByteArrayOutputStream();
    private int next = 1;
    private boolean opensWindows = true;
    private long initialWindow = 65_535;
    private long pings;

    private RawHttp2Client(RawClient socket) {
        this.socket = socket;
        this.in = new DataInputStream(new java.io.BufferedInputStream(socket.input()));
    }

    /** With nothing said, not even the preface. */
    public static RawHttp2Client silent(RawClient socket) {
        return new RawHttp2Client(socket);
    }

    /** With the preface and settings as pairs of identifier and value. */
    public static RawHttp2Client over(RawClient socket, int... settings) {
        RawHttp2Client client = new RawHttp2Client(socket);
        client.socket
                .send(Http2Frame.PREFACE)
                .send(Http2Frame.settings(settings).bytes());
        return client;
    }

    /** From now on the answers' windows stay as they are. */
    public RawHttp2Client keepingWindows() {
        opensWindows = false;
        return this;
    }

    public RawHttp2Client frame(int type, int flags, int stream, byte[] payload) {
        socket.send(Http2Frame.bytes(type, flags, stream, payload));
        return this;
    }

    public RawHttp2Client send(Http2Frame frame) {
        return raw(frame.bytes());
    }

    public RawHttp2Client raw(byte[] bytes) {
        socket.send(bytes);
        return this;
    }

    /** @return the number of the next stream */
    public int nextStream() {
        int id = next;
        next += 2;
        return id;
    }

    /** A whole request without content. @return its stream */
    public int get(String... lines) {
        int id = nextStream();
        frame(HEADERS, END_HEADERS | END_STREAM, id, headers(lines));
        return id;
    }

    /** A request's head, content to come. @return its stream */
    public int begin(String... lines) {
        int id = nextStream();
        frame(HEADERS, END_HEADERS, id, headers(lines));
        return id;
    }

    public RawHttp2Client data(int stream, String text, boolean end) {
        return data(stream, text.getBytes(ISO_8859_1), end);
    }

    public RawHttp2Client data(int stream, byte[] content, boolean end) {
        stream(stream).sent += content.length;
        stream(0).sent += content.length;
        return frame(DATA, end ? END_STREAM : 0, stream, content);
    }

    /** Bytes that may still be sent on a stream, as far as has been read. */
    public long room(int stream) {
        Stream known = stream(stream);
        return Math.min(initialWindow + known.opened - known.sent, 65_535 + stream(0).opened - stream(0).sent);
    }

    /** Sends as the windows allow, reading on for more room; no more of it once the stream is over. */
    public RawHttp2Client dataWhole(int stream, byte[] content, boolean end) {
        Stream known = stream(stream);
        int at = 0;
        do {
            until(frame -> content.length == 0 || room(stream) > 0 || known.over());
            if (known.over()) {
                return this;
            }
            int piece = (int) Math.min(Math.min(room(stream), 16_384), content.length - at);
            at += piece;
            data(stream, Arrays.copyOfRange(content, at - piece, at), end && at == content.length);
        } while (at < content.length);
        return this;
    }

    /** How long a read waits for the next byte. @param millis 10,000 unless told */
    public RawHttp2Client patience(int millis) {
        socket.patience(millis);
        return this;
    }

    /** Comes back when the peer has dealt with all that was sent before. */
    public RawHttp2Client ping() {
        byte[] payload = ByteBuffer.allocate(8).putLong(++pings).array();
        frame(PING, 0, 0, payload);
        await(frame -> frame.type() == PING && frame.has(ACK) && Arrays.equals(frame.payload(), payload));
        return this;
    }

    public RawHttp2Client reset(int stream, int code) {
        return send(Http2Frame.number(RST_STREAM, stream, code));
    }

    public RawHttp2Client window(int stream, int increment) {
        return send(Http2Frame.number(WINDOW_UPDATE, stream, increment));
    }

    /** A header block of names and values in turn: literals, never indexed, not compressed. */
    public static byte[] headers(String... namesAndValues) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndValues.length; i++) {
            if (i % 2 == 0) {
                out.write(0x10);
            }
            byte[] text = namesAndValues[i].getBytes(ISO_8859_1);
            integer(out, text.length, 7);
            out.writeBytes(text);
        }
        return out.toByteArray();
    }

    private static void integer(ByteArrayOutputStream out, int value, int prefix) {
        int most = (1 << prefix) - 1;
        if (value < most) {
            out.write(value);
            return;
        }
        out.write(most);
        int rest = value - most;
        while (rest >= 128) {
            out.write(rest & 127 | 128);
            rest >>= 7;
        }
        out.write(rest);
    }

    /** Reads until the stream is over, by its end or a reset; what came by then. */
    public Answer answer(int stream) {
        Stream known = stream(stream);
        until(frame -> known.over());
        return known.answer();
    }

    /** Reads until the stream has an answer's head. */
    public Answer head(int stream) {
        Stream known = stream(stream);
        until(frame -> known.answer().status() > 0 || known.reset >= 0);
        return known.answer();
    }

    /** Reads until so many bytes of content have come on a stream, or it is over. */
    public Answer content(int stream, int bytes) {
        Stream known = stream(stream);
        until(frame -> known.content.size() >= bytes || known.over());
        return known.answer();
    }

    /** What has come on a stream by now. */
    public Answer soFar(int stream) {
        return stream(stream).answer();
    }

    /** Reads until a frame like this comes, or has come already. */
    public Http2Frame await(Predicate<Http2Frame> wanted) {
        for (Http2Frame frame : List.copyOf(frames)) {
            if (wanted.test(frame)) {
                return frame;
            }
        }
        Http2Frame[] found = new Http2Frame[1];
        until(frame -> {
            if (frame != null && wanted.test(frame)) {
                found[0] = frame;
            }
            return found[0] != null;
        });
        return found[0];
    }

    public Http2Frame goAway() {
        return await(frame -> frame.type() == GOAWAY);
    }

    /** Every frame that was read. */
    public List<Http2Frame> frames() {
        return List.copyOf(frames);
    }

    /** Reads to the connection's end, however it ends. */
    public List<Http2Frame> rest() {
        try {
            until(frame -> false);
        } catch (UncheckedIOException end) {
            if (end.getCause() instanceof java.net.SocketTimeoutException) {
                throw end;
            }
        }
        return frames();
    }

    /** What a peer that has closed already would not hear; what it said before can still be read. */
    private void answerFrame(Runnable sending) {
        try {
            sending.run();
        } catch (UncheckedIOException closed) {
            opensWindows = false;
        }
    }

    private void until(Predicate<@Nullable Http2Frame> done) {
        if (done.test(null)) {
            return;
        }
        try {
            while (true) {
                Http2Frame frame = Http2Frame.read(in);
                frames.add(frame);
                apply(frame);
                if (done.test(frame)) {
                    return;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("after " + describe(), e);
        }
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        for (Http2Frame frame : frames) {
            text.append(frame.type())
                    .append('/')
                    .append(frame.flags())
                    .append('@')
                    .append(frame.stream());
            if (frame.type() == GOAWAY || frame.type() == RST_STREAM) {
                text.append('=').append(frame.code());
            }
            text.append(' ');
        }
        return text.toString();
    }

    private void apply(Http2Frame frame) throws IOException {
        switch (frame.type()) {
            case DATA -> {
                Stream stream = stream(frame.stream());
                stream.content.writeBytes(frame.payload());
                stream.ended |= frame.has(END_STREAM);
                if (opensWindows && frame.payload().length > 0) {
                    answerFrame(() -> {
                        window(0, frame.payload().length);
                        if (!stream.ended) {
                            window(frame.stream(), frame.payload().length);
                        }
                    });
                }
            }
            case HEADERS, CONTINUATION -> {
                block.writeBytes(frame.payload());
                if (frame.has(END_HEADERS)) {
                    stream(frame.stream()).heads.add(decode(frame.stream()));
                }
                stream(frame.stream()).ended |= frame.type() == HEADERS && frame.has(END_STREAM);
            }
            case RST_STREAM -> stream(frame.stream()).reset = frame.code();
            case SETTINGS -> {
                if (!frame.has(ACK)) {
                    settings(ByteBuffer.wrap(frame.payload()));
                    answerFrame(() -> frame(SETTINGS, ACK, 0, new byte[0]));
                }
            }
            case PING -> {
                if (!frame.has(ACK)) {
                    answerFrame(() -> frame(PING, ACK, 0, frame.payload()));
                }
            }
            case WINDOW_UPDATE -> stream(frame.stream()).opened += frame.code();
            default -> {
                // For the test to see.
            }
        }
    }

    private void settings(ByteBuffer pairs) {
        while (pairs.hasRemaining()) {
            int id = pairs.getShort();
            int value = pairs.getInt();
            if (id == INITIAL_WINDOW_SIZE) {
                initialWindow = value;
            }
        }
    }

    private List<String> decode(int stream) throws IOException {
        try {
            Http2Headers headers = hpack.decodeHeaders(stream, Unpooled.wrappedBuffer(block.toByteArray()));
            block.reset();
            List<String> lines = new ArrayList<>();
            headers.forEach(line -> lines.add(line.getKey() + ": " + line.getValue()));
            return lines;
        } catch (Http2Exception e) {
            throw new IOException(e);
        }
    }

    private Stream stream(int id) {
        return streams.computeIfAbsent(id, none -> new Stream());
    }

    @Override
    public void close() {
        socket.close();
    }
}
