package io.sallyport.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 origin on loopback that keeps what it received, byte for byte, and answers with whatever bytes the test writes. Deliberately
 * no HTTP library: a library would tidy up what a test wants to see.
 */
public final class TestOrigin implements AutoCloseable {

    /**
     * @param head request line and fields as received, lines ended by CRLF, without the empty line
     * @param content after chunks were joined
     * @param trailers lines that followed a chunked content, in order
     */
    public record Received(String head, byte[] content, List<String> trailers) {

        public Received(String head, byte[] content) {
            this(head, content, List.of());
        }

        public String requestLine() {
            return head.substring(0, head.indexOf("\r\n"));
        }

        /** As it stands in the request line. */
        public String target() {
            return requestLine().split(" ")[1];
        }

        /** All values of a field, in order. */
        public List<String> field(String name) {
            String prefix = name.toLowerCase(Locale.ROOT) + ":";
            return head.lines()
                    .skip(1)
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
                    .map(line -> line.substring(prefix.length()).strip())
                    .toList();
        }

        public String text() {
            return new String(content, ISO_8859_1);
        }
    }

    /** Writes one whole answer, or part of one; throwing closes the connection. */
    @FunctionalInterface
    public interface Answer {
        void to(Received request, OutputStream out) throws IOException;
    }

    /** Takes the connection over after a request's head and content. */
    @FunctionalInterface
    public interface Conversation {
        void with(Received request, InputStream in, OutputStream out) throws IOException;
    }

    /** Thrown by an answer: the connection ends below TLS, as somebody on the way would end it. */
    public static final class Cut extends IOException {}

    /** Thrown by an answer: the connection ends with a reset. */
    public static final class Broken extends IOException {}

    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final List<String> peers = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final String scheme;
    private final @Nullable SSLContext context;
    private volatile Answer answer;
    private volatile @Nullable Conversation conversation;
    private volatile @Nullable Conversation afterHead;
    private volatile @Nullable Answer toExpect;
    private volatile boolean deaf;

    private TestOrigin(ServerSocket listener, String scheme, @Nullable SSLContext context, Answer answer) {
        this.listener = listener;
        this.scheme = scheme;
        this.context = context;
        this.answer = answer;
        Thread.ofVirtual().name("origin").start(this::accept);
    }

    public static TestOrigin tls(TestCertificates.Issued certificate, Answer answer) {
        return tls(certificate.serverContext(), answer);
    }

    public static TestOrigin tls(SSLContext context, Answer answer) {
        try {
            return new TestOrigin(new ServerSocket(0, 50, loopback()), "https", context, answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One that asks for a certificate and serves those too who show none. */
    public static TestOrigin mutual(TestCertificates.Issued certificate, TestCertificates clients, Answer answer) {
        return mutual(certificate, clients, answer, false, "TLSv1.3", "TLSv1.2");
    }

    /** @param insists whether it serves nobody who shows none */
    public static TestOrigin mutual(
            TestCertificates.Issued certificate,
            TestCertificates clients,
            Answer answer,
            boolean insists,
            String... versions) {
        try {
            SSLServerSocket socket = (SSLServerSocket)
                    certificate.serverContext(clients).getServerSocketFactory().createServerSocket(0, 50, loopback());
            socket.setWantClientAuth(true);
            if (insists) {
                socket.setNeedClientAuth(true);
            }
            socket.setEnabledProtocols(versions);
            return new TestOrigin(socket, "https", null, answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static TestOrigin plain(Answer answer) {
        try {
            return new TestOrigin(new ServerSocket(0, 50, loopback()), "http", null, answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InetAddress loopback() throws IOException {
        return InetAddress.getByName("127.0.0.1");
    }

    /** A 200 with this text. */
    public static Answer ok(String text) {
        return status(200, text);
    }

    public static Answer status(int status, String text, String... fieldLines) {
        StringBuilder head = new StringBuilder(
                "HTTP/1.1 " + status + " Status\r\nContent-Length: " + text.getBytes(ISO_8859_1).length + "\r\n");
        for (String line : fieldLines) {
            head.append(line).append("\r\n");
        }
        return raw(head + "\r\n" + text);
    }

    public static Answer raw(String bytes) {
        return (_, out) -> out.write(bytes.getBytes(ISO_8859_1));
    }

    /** Answers with the head that was received, as an echo service does. */
    public static Answer echo() {
        return (request, out) ->
                ok(request.head() + "\r\n\r\n" + request.text()).to(request, out);
    }

    public void answer(Answer next) {
        this.answer = next;
        this.conversation = null;
        this.afterHead = null;
    }

    /** The rest of each connection belongs to this, and ends with it. */
    public void converse(Conversation next) {
        this.conversation = next;
    }

    /** From now on heads are read and their content is not, until told otherwise. */
    public void deaf(boolean now) {
        this.deaf = now;
    }

    /** Answers to a head with {@code Expect} at once, with no 100; what still comes then counts as content. Null for a 100, as usual. */
    public void answerToExpect(@Nullable Answer next) {
        this.toExpect = next;
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** {@code https://HOST:port}, with whatever name the test gives it. */
    public String url(String host) {
        return scheme + "://" + host + ":" + port();
    }

    /** Connections that are open just now. */
    public int open() {
        return open.size();
    }

    /** Complete requests, in order. */
    public List<Received> received() {
        return received;
    }

    /** For each request in order, the name in the certificate that its connection had shown; empty for none. */
    public List<String> peers() {
        return peers;
    }

    static String peer(Socket socket) {
        try {
            return socket instanceof SSLSocket tls
                    ? tls.getSession().getPeerPrincipal().getName()
                    : "";
        } catch (SSLPeerUnverifiedException none) {
            return "";
        }
    }

    public int connections() {
        return connections.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                connections.incrementAndGet();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                // Closed, or a handshake that failed: the next one may do better.
            }
        }
    }

    private void serve(Socket raw) {
        try (raw;
                Socket socket = secured(raw)) {
            try {
                serveWhile(
                        socket,
                        this::early,
                        request -> {
                            peers.add(peer(socket));
                            received.add(request);
                        },
                        this::answered);
            } catch (Cut cut) {
                raw.close();
            } catch (Broken broken) {
                raw.setSoLinger(true, 0);
                raw.close();
            }
        } catch (IOException e) {
            // The peer is gone, or the test's answer wanted the connection to end.
        } finally {
            open.remove(raw);
        }
    }

    /** Serves one connection to its end. */
    static void serve(Socket socket, Consumer<Received> seen, Answer answer) throws IOException {
        serveWhile(socket, (request, in, out) -> true, seen, (request, in, out) -> {
            answer.to(request, out);
            return true;
        });
    }

    /** Answers one request. */
    private interface Turn {
        /** @return false when the connection has had its last */
        boolean on(Received request, InputStream in, OutputStream out) throws IOException;
    }

    /** The same, but from a request's head on: its content is this one's to read too, Expect included. */
    public void converseAfterHead(Conversation next) {
        this.afterHead = next;
    }

    private boolean answered(Received request, InputStream in, OutputStream out) throws IOException {
        Conversation taken = conversation;
        if (taken == null) {
            answer.to(request, out);
            return true;
        }
        taken.with(request, in, out);
        return false;
    }

    private static void serveWhile(Socket socket, Turn head, Consumer<Received> seen, Turn turn) throws IOException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        for (Received request = read(in, out, head); request != null; request = read(in, out, head)) {
            seen.accept(request);
            boolean more = turn.on(request, in, out);
            out.flush();
            if (!more) {
                return;
            }
        }
    }

    private Socket secured(Socket raw) throws IOException {
        return context == null
                ? raw
                : context.getSocketFactory().createSocket(raw, InputStream.nullInputStream(), true);
    }

    /** What this origin was told to do with a head before its content. */
    private boolean early(Received request, InputStream in, OutputStream out) throws IOException {
        while (deaf) {
            LockSupport.parkNanos(50_000_000);
        }
        Conversation taken = afterHead;
        if (taken != null) {
            received.add(request);
            taken.with(request, in, out);
            return false;
        }
        Answer early = toExpect;
        if (request.field("Expect").isEmpty() || early == null) {
            return true;
        }
        early.to(request, out);
        out.flush();
        received.add(new Received(request.head(), untilItEnds(in)));
        return false;
    }

    /** The next head of a connection that a conversation has taken over; null at its end. */
    public static @Nullable Received head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int newlines = 0;
        while (newlines < 2) {
            int c = in.read();
            if (c < 0) {
                return null;
            }
            head.write(c);
            newlines = c == '\n' ? newlines + 1 : c == '\r' ? newlines : 0;
        }
        String text = head.toString(ISO_8859_1);
        return new Received(text.substring(0, Math.max(0, text.length() - 2)), new byte[0]);
    }

    private static @Nullable Received read(InputStream in, OutputStream out, Turn early) throws IOException {
        Received request = head(in);
        if (request == null || !early.on(request, in, out)) {
            return null;
        }
        if (!request.field("Expect").isEmpty()) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(ISO_8859_1));
            out.flush();
        }
        List<String> trailers = new ArrayList<>();
        return new Received(request.head(), content(request, in, trailers), trailers);
    }

    private static byte[] content(Received request, InputStream in, List<String> trailers) throws IOException {
        if (!request.field("Transfer-Encoding").isEmpty()) {
            return chunks(in, trailers);
        }
        List<String> length = request.field("Content-Length");
        return length.isEmpty() ? new byte[0] : whole(in, Integer.parseInt(length.getFirst()));
    }

    /** Whatever comes, however it ends. */
    private static byte[] untilItEnds(InputStream in) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try {
            in.transferTo(all);
        } catch (IOException reset) {
            // A reset is an end.
        }
        return all.toByteArray();
    }

    /** A peer that dies within its content has sent no request. */
    private static byte[] whole(InputStream in, int length) throws IOException {
        byte[] content = in.readNBytes(length);
        if (content.length < length) {
            throw new EOFException();
        }
        return content;
    }

    private static byte[] chunks(InputStream in, List<String> trailers) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        while (true) {
            int size = Integer.parseInt(line(in).split(";")[0].strip(), 16);
            content.write(whole(in, size));
            if (size == 0) {
                for (String trailer = line(in); !trailer.isEmpty(); trailer = line(in)) {
                    trailers.add(trailer);
                }
                return content.toByteArray();
            }
            line(in);
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
