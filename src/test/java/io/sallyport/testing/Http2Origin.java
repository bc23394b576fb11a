package io.sallyport.testing;

import static io.sallyport.testing.Http2Frame.ACK;
import static io.sallyport.testing.Http2Frame.CONTINUATION;
import static io.sallyport.testing.Http2Frame.DATA;
import static io.sallyport.testing.Http2Frame.END_HEADERS;
import static io.sallyport.testing.Http2Frame.END_STREAM;
import static io.sallyport.testing.Http2Frame.GOAWAY;
import static io.sallyport.testing.Http2Frame.HEADERS;
import static io.sallyport.testing.Http2Frame.PING;
import static io.sallyport.testing.Http2Frame.RST_STREAM;
import static io.sallyport.testing.Http2Frame.SETTINGS;
import static io.sallyport.testing.Http2Frame.WINDOW_UPDATE;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/2 origin on loopback, on TLS with ALPN, that keeps every frame it received, and answers with whatever frames the test writes.
 * Frames are cut and written here by hand: a library would neither show what a test wants to see nor send what a test wants sent. Only
 * header compression is a library's.
 */
public final class Http2Origin implements AutoCloseable {

    /** @param neverIndexed as the sender marked it (RFC 7541 section 6.2.3) */
    public record Line(String name, String value, boolean neverIndexed) {}

    /** A frame as it came. @param connection its number, from 1 */
    public record Frame(int connection, Http2Frame frame) {

        public int type() {
            return frame.type();
        }

        public int flags() {
            return frame.flags();
        }

        public int stream() {
            return frame.stream();
        }

        public byte[] payload() {
            return frame.payload();
        }

        public long code() {
            return Integer.toUnsignedLong(frame.code());
        }
    }

    /** Answers one request; it runs on a thread of its own, as soon as the head is there. */
    @FunctionalInterface
    public interface Answer {
        void to(Exchange request) throws IOException, InterruptedException;
    }

    private final ServerSocket listener;
    private final boolean asks;
    private final List<String> peers = new CopyOnWriteArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<Exchange> received = new CopyOnWriteArrayList<>();
    private final List<TestOrigin.Received> receivedHttp1 = new CopyOnWriteArrayList<>();
    private final List<Frame> frames = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private volatile Answer answer;
    private volatile int[] settings = {};
    private volatile List<String> protocols = List.of("h2");
    private volatile boolean credits = true;
    private volatile CountDownLatch stalled = new CountDownLatch(0);
    private final AtomicInteger ended = new AtomicInteger();
    private volatile TestOrigin.@Nullable Answer http1;

    public Http2Origin(TestCertificates.Issued certificate, Answer answer) {
        this(certificate, null, answer);
    }

    /** @param clients whose certificates it asks for, serving those too who show none; null for one that asks for none */
    public Http2Origin(TestCertificates.Issued certificate, @Nullable TestCertificates clients, Answer answer) {
        this.answer = answer;
        this.asks = clients != null;
        try {
            listener = certificate
                    .serverContext(clients)
                    .getServerSocketFactory()
                    .createServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("h2-origin").start(this::accept);
    }

    /** A 200 with this text, once the request is whole. */
    public static Answer ok(String text) {
        return request -> {
            request.content();
            request.head(false, ":status", "200", "content-type", "text/plain");
            request.data(true, text.getBytes(StandardCharsets.ISO_8859_1));
        };
    }

    public void answer(Answer next) {
        answer = next;
    }

    /** What new connections announce, as pairs of identifier and value. */
    public void settings(int... pairs) {
        settings = pairs;
    }

    /** What new connections choose from. */
    public void protocols(String... names) {
        protocols = List.of(names);
    }

    /** What a connection gets that agreed on HTTP/1.1: its answer to every head. */
    public void http1(TestOrigin.Answer answer) {
        http1 = answer;
        protocols("http/1.1");
    }

    /** Whether senders get their windows back as they send; true at first. */
    public void credits(boolean all) {
        credits = all;
    }

    /** How much the system takes for new connections that nobody reads from: about twice this. */
    public void receiveBuffer(int bytes) {
        try {
            listener.setReceiveBufferSize(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether nothing is read, from the next frame on. */
    public void stall(boolean all) {
        CountDownLatch before = stalled;
        stalled = new CountDownLatch(all ? 1 : 0);
        before.countDown();
    }

    /** Connections that their peers ended. */
    public int ended() {
        return ended.get();
    }

    /** As at the start, but for the connections that stand. */
    public void fresh() {
        answer(ok("hello"));
        settings();
        protocols("h2", "http/1.1");
        credits(true);
        stall(false);
        ended.set(0);
        received.clear();
        receivedHttp1.clear();
        frames.clear();
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Requests whose head came, in order. */
    public List<Exchange> received() {
        return received;
    }

    /** Complete requests in HTTP/1.1, in order. */
    public List<TestOrigin.Received> receivedHttp1() {
        return receivedHttp1;
    }

    /** Every frame that came, in order. */
    public List<Frame> frames() {
        return frames;
    }

    public List<Frame> frames(int type) {
        return frames.stream().filter(frame -> frame.type() == type).toList();
    }

    /** For each connection in order, the name in the certificate that it had shown; empty for none. */
    public List<String> peers() {
        return peers;
    }

    public int connections() {
        return connections.get();
    }

    /** Ends every connection that stands. */
    public void hangUp() {
        stall(false);
        for (Socket socket : open) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                SSLSocket socket = (SSLSocket) listener.accept();
                socket.setTcpNoDelay(true);
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setApplicationProtocols(protocols.toArray(String[]::new));
                parameters.setWantClientAuth(asks);
                socket.setSSLParameters(parameters);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                // Closed, or a handshake that failed: the next one may do better.
            }
        }
    }

    private void serve(SSLSocket socket) {
        try (socket) {
            socket.startHandshake();
            int number = connections.incrementAndGet();
            peers.add(TestOrigin.peer(socket));
            open.add(socket);
            if (socket.getApplicationProtocol().equals("h2")) {
                new Peer(number, socket).run();
            } else if (http1 != null) {
                TestOrigin.serve(socket, receivedHttp1::add, http1);
            }
        } catch (IOException | Http2Exception e) {
            // The peer is gone, or a test wanted it so.
        } finally {
            open.remove(socket);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
            hangUp();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One connection. */
    private final class Peer {
        private final int number;
        private final Socket socket;
        private final OutputStream out;
        private final Map<Integer, Exchange> exchanges = new ConcurrentHashMap<>();
        private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, 1 << 20);
        private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
        private int window = 65_535;
        private int streamWindow = 65_535;

        Peer(int number, Socket socket) throws IOException {
            this.number = number;
            this.socket = socket;
            this.out = socket.getOutputStream();
        }

        void run() throws IOException, Http2Exception {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.readNBytes(Http2Frame.PREFACE.length());
            write(Http2Frame.settings(settings));
            try {
                while (true) {
                    Http2Frame frame = Http2Frame.read(in);
                    frames.add(new Frame(number, frame));
                    on(frame);
                    stalled.await();
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            } finally {
                ended.incrementAndGet();
                exchanges.values().forEach(exchange -> exchange.ended(-1));
            }
        }

        private void on(Http2Frame frame) throws IOException, Http2Exception {
            Exchange exchange = exchanges.get(frame.stream());
            switch (frame.type()) {
                case HEADERS -> headers(frame, exchange);
                case DATA -> {
                    if (exchange != null) {
                        exchange.came(frame);
                    }
                    if (credits && frame.payload().length > 0) {
                        credit(0, frame.payload().length);
                        credit(frame.stream(), frame.payload().length);
                    }
                }
                case SETTINGS -> settings(frame);
                case PING -> {
                    if (!frame.has(ACK)) {
                        write(PING, ACK, 0, frame.payload());
                    }
                }
                case WINDOW_UPDATE -> {
                    synchronized (this) {
                        int more = ByteBuffer.wrap(frame.payload()).getInt();
                        if (frame.stream() == 0) {
                            window += more;
                        } else if (exchange != null) {
                            exchange.window += more;
                        }
                        notifyAll();
                    }
                }
                case RST_STREAM -> {
                    if (exchange != null) {
                        exchange.ended(Integer.toUnsignedLong(frame.code()));
                    }
                }
                default -> {}
            }
        }

        private void settings(Http2Frame frame) throws IOException {
            if (frame.has(ACK)) {
                return;
            }
            ByteBuffer in = ByteBuffer.wrap(frame.payload());
            while (in.hasRemaining()) {
                int id = in.getShort();
                int value = in.getInt();
                streamWindow = id == 4 ? value : streamWindow;
            }
            write(SETTINGS, ACK, 0, new byte[0]);
        }

        private void headers(Http2Frame frame, @Nullable Exchange exchange) throws Http2Exception {
            List<Boolean> never = neverIndexed(frame.payload());
            Http2Headers headers = decoder.decodeHeaders(frame.stream(), Unpooled.wrappedBuffer(frame.payload()));
            List<Line> lines = new ArrayList<>();
            for (Map.Entry<CharSequence, CharSequence> line : headers) {
                lines.add(new Line(line.getKey().toString(), line.getValue().toString(), never.get(lines.size())));
            }
            boolean last = frame.has(END_STREAM);
            if (exchange != null) {
                exchange.trailers.addAll(lines);
                exchange.ended(-1);
                return;
            }
            Exchange begun = new Exchange(this, frame.stream(), lines, streamWindow);
            exchanges.put(frame.stream(), begun);
            if (last) {
                begun.ended(-1);
            }
            received.add(begun);
            Answer now = answer;
            Thread.ofVirtual().start(() -> {
                try {
                    now.to(begun);
                } catch (IOException | InterruptedException e) {
                    // The connection or the stream is gone.
                }
            });
        }

        void credit(int stream, int bytes) throws IOException {
            write(Http2Frame.number(WINDOW_UPDATE, stream, bytes));
        }

        void write(int type, int flags, int stream, byte[] payload) throws IOException {
            write(new Http2Frame(type, flags, stream, payload));
        }

        void write(Http2Frame frame) throws IOException {
            raw(frame.bytes());
        }

        synchronized void raw(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        /** Under one lock with its write: what is compressed first has to be sent first. */
        synchronized void writeHeaders(int stream, boolean last, String... namesAndValues) throws IOException {
            Http2Headers headers = new DefaultHttp2Headers(false);
            for (int i = 0; i < namesAndValues.length; i += 2) {
                headers.add(namesAndValues[i], namesAndValues[i + 1]);
            }
            ByteBuf block = Unpooled.buffer();
            try {
                encoder.encodeHeaders(stream, headers, block);
            } catch (Http2Exception e) {
                throw new IOException(e);
            }
            byte[] bytes = new byte[block.readableBytes()];
            block.readBytes(bytes);
            int size = 16_384;
            for (int at = 0; at == 0 || at < bytes.length; at += size) {
                int end = Math.min(bytes.length, at + size);
                int flags = (end == bytes.length ? END_HEADERS : 0) | (at == 0 && last ? END_STREAM : 0);
                write(at == 0 ? HEADERS : CONTINUATION, flags, stream, java.util.Arrays.copyOfRange(bytes, at, end));
            }
        }

        void writeData(Exchange exchange, boolean last, byte[] content) throws IOException, InterruptedException {
            int at = 0;
            do {
                int length;
                synchronized (this) {
                    while (content.length > 0 && Math.min(window, exchange.window) <= 0 && exchange.code < 0) {
                        wait(10_000);
                    }
                    if (exchange.code >= 0) {
                        throw new IOException("the stream was reset");
                    }
                    length = Math.min(Math.min(16_384, content.length - at), Math.min(window, exchange.window));
                    length = Math.max(0, length);
                    window -= length;
                    exchange.window -= length;
                    write(
                            DATA,
                            last && at + length == content.length ? END_STREAM : 0,
                            exchange.stream,
                            java.util.Arrays.copyOfRange(content, at, at + length));
                }
                at += length;
            } while (at < content.length);
        }

        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** One request, as far as it has come, and the means to answer it. */
    public static final class Exchange {
        private final Peer peer;
        private final int stream;
        private final List<Line> lines;
        private final List<Line> trailers = new CopyOnWriteArrayList<>();
        private final LinkedBlockingQueue<byte[]> pieces = new LinkedBlockingQueue<>();
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();
        private int window;
        private volatile long code = -1;
        private boolean taken;

        private static final byte[] END = {};

        Exchange(Peer peer, int stream, List<Line> lines, int window) {
            this.peer = peer;
            this.stream = stream;
            this.lines = lines;
            this.window = window;
        }

        private void came(Http2Frame frame) {
            if (frame.payload().length > 0) {
                pieces.add(frame.payload());
            }
            if (frame.has(END_STREAM)) {
                pieces.add(END);
            }
        }

        private void ended(long reset) {
            code = reset;
            pieces.add(END);
            synchronized (peer) {
                peer.notifyAll();
            }
        }

        public int connection() {
            return peer.number;
        }

        public int stream() {
            return stream;
        }

        /** Everything in the head, pseudo-header fields too. */
        public List<Line> lines() {
            return lines;
        }

        public List<Line> trailers() {
            return trailers;
        }

        /** All values of a field, or the one of a pseudo-header field. */
        public List<String> field(String name) {
            return lines.stream()
                    .filter(line -> line.name().equals(name))
                    .map(Line::value)
                    .toList();
        }

        /** The error by which the peer ended it; -1 as long as it did not. */
        public long code() {
            return code;
        }

        /** The next piece of content as a frame brought it; null at its end. */
        public byte @Nullable [] next() throws InterruptedException {
            if (taken) {
                return null;
            }
            byte[] piece = pieces.poll(20, TimeUnit.SECONDS);
            if (piece == null || piece == END) {
                taken = true;
                return null;
            }
            content.writeBytes(piece);
            return piece;
        }

        /** The whole content, once it is. */
        public byte[] content() throws InterruptedException {
            while (next() != null) {
                // Collected there.
            }
            return content.toByteArray();
        }

        /** What was taken of the content so far. */
        public byte[] soFar() {
            return content.toByteArray();
        }

        public void head(boolean last, String... namesAndValues) throws IOException {
            peer.writeHeaders(stream, last, namesAndValues);
        }

        /** Also in more than one frame, as the peer's window allows. */
        public void data(boolean last, byte[] bytes) throws IOException, InterruptedException {
            peer.writeData(this, last, bytes);
        }

        public void data(boolean last, String text) throws IOException, InterruptedException {
            data(last, text.getBytes(StandardCharsets.ISO_8859_1));
        }

        public void reset(int error) throws IOException {
            peer.write(Http2Frame.number(RST_STREAM, stream, error));
        }

        /** @param last stream that was, or will be, acted upon */
        public void goAway(int last, int error, String words) throws IOException {
            ByteBuffer payload =
                    ByteBuffer.allocate(8 + words.length()).putInt(last).putInt(error);
            frame(
                    GOAWAY,
                    0,
                    0,
                    payload.put(words.getBytes(StandardCharsets.US_ASCII)).array());
        }

        public void credit(int bytes) throws IOException {
            peer.credit(stream, bytes);
        }

        /** Any frame, sensible or not. */
        public void frame(int type, int flags, int stream, byte[] payload) throws IOException {
            peer.write(type, flags, stream, payload);
        }

        /** Frames that nothing may come between, or what is none. */
        public void raw(byte[] bytes) throws IOException {
            peer.raw(bytes);
        }

        /** Ends the connection without a word. */
        public void hangUp() {
            peer.close();
        }
    }

    /** For each field of a block without padding, whether it came as "never indexed". */
    private static List<Boolean> neverIndexed(byte[] block) {
        ByteBuffer in = ByteBuffer.wrap(block);
        List<Boolean> marks = new ArrayList<>();
        while (in.hasRemaining()) {
            int first = in.get(in.position()) & 0xff;
            if ((first & 0x80) != 0) {
                number(in, 7);
                marks.add(false);
            } else if ((first & 0xe0) == 0x20) {
                number(in, 5);
            } else {
                boolean indexed = (first & 0xc0) == 0x40;
                if (number(in, indexed ? 6 : 4) == 0) {
                    skip(in);
                }
                skip(in);
                marks.add(!indexed && (first & 0x10) != 0);
            }
        }
        return marks;
    }

    private static void skip(ByteBuffer in) {
        int length = number(in, 7);
        in.position(in.position() + length);
    }

    private static int number(ByteBuffer in, int bits) {
        int most = (1 << bits) - 1;
        int value = in.get() & most;
        if (value < most) {
            return value;
        }
        int shift = 0;
        int next;
        do {
            next = in.get() & 0xff;
            value += (next & 0x7f) << shift;
            shift += 7;
        } while ((next & 0x80) != 0);
        return value;
    }
}
