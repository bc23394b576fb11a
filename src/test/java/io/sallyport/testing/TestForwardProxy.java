package io.sallyport.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A proxy that opens tunnels: wherever one is asked to lead, it leads to the same port on loopback. Keeps what went through, byte for byte. */
public final class TestForwardProxy implements AutoCloseable {

    /** What to say to a request for a tunnel. */
    public interface Script {
        /** @return the answer's bytes; a tunnel is opened after a 2xx. Null for none, and the connection ends. */
        @Nullable
        String answer(String head);
    }

    public static final String OPENED = "HTTP/1.1 200 Connection established\r\n\r\n";

    private final ServerSocket listener;
    private final String scheme;
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream passed = new ByteArrayOutputStream();
    private volatile Script script = _ -> OPENED;

    private TestForwardProxy(ServerSocket listener, String scheme) {
        this.listener = listener;
        this.scheme = scheme;
        Thread.ofVirtual().name("forward-proxy").start(this::accept);
    }

    public static TestForwardProxy plain() {
        try {
            return new TestForwardProxy(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")), "http");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static TestForwardProxy tls(TestCertificates.Issued certificate) {
        try {
            return new TestForwardProxy(
                    certificate
                            .serverContext()
                            .getServerSocketFactory()
                            .createServerSocket(0, 50, InetAddress.getByName("127.0.0.1")),
                    "https");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As a setting has it. */
    public String url(String host) {
        return scheme + "://" + host + ":" + listener.getLocalPort();
    }

    public void script(Script next) {
        script = next;
    }

    /** The head of each request for a tunnel so far. */
    public List<String> asked() {
        return asked;
    }

    /** {@code HOST:PORT} of each. */
    public List<String> targets() {
        return asked.stream().map(head -> head.split(" ")[1]).toList();
    }

    /** Everything that agents' side sent through tunnels. */
    public String passed() {
        synchronized (passed) {
            return passed.toString(ISO_8859_1);
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket peer = listener.accept();
                Thread.ofVirtual().start(() -> serve(peer));
            } catch (IOException e) {
                // Closed.
            }
        }
    }

    private void serve(Socket peer) {
        try (peer) {
            String head = head(peer.getInputStream());
            asked.add(head);
            String answer = script.answer(head);
            if (answer == null) {
                return;
            }
            peer.getOutputStream().write(answer.getBytes(ISO_8859_1));
            peer.getOutputStream().flush();
            if (answer.matches("(?s)(HTTP/1.1 1\\d\\d.*?\r\n\r\n)*HTTP/1.1 2.*")) {
                int port = Integer.parseInt(head.split(" ")[1].replaceFirst(".*:", ""));
                tunnel(peer, port);
            } else {
                peer.getInputStream().read();
            }
        } catch (IOException e) {
            // One side left.
        }
    }

    private void tunnel(Socket peer, int port) throws IOException {
        try (Socket destination = new Socket("127.0.0.1", port)) {
            Thread back = Thread.ofVirtual().start(() -> {
                try {
                    copy(destination.getInputStream(), peer.getOutputStream(), null);
                } catch (IOException e) {
                    // As above.
                }
            });
            copy(peer.getInputStream(), destination.getOutputStream(), passed);
            destination.shutdownOutput();
            back.join(1000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void copy(InputStream in, OutputStream out, @Nullable ByteArrayOutputStream also)
            throws IOException {
        byte[] buffer = new byte[16 * 1024];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            if (also != null) {
                synchronized (also) {
                    also.write(buffer, 0, n);
                }
            }
            out.write(buffer, 0, n);
            out.flush();
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no whole head");
            }
            head.append((char) next);
        }
        return head.toString();
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
