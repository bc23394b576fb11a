package io.sallyport.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** An agent's end of a connection, byte by byte: sends exactly what a test writes, and reads answers by their framing. */
public final class RawClient implements AutoCloseable {

    /** @param head status line and fields, lines ended by CRLF; @param content after chunks were joined */
    public record Answer(String head, byte[] content, String trailers) {

        public int status() {
            return Integer.parseInt(head.substring(9, 12));
        }

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

        @Override
        public String toString() {
            return head + "\r\n" + text();
        }
    }

    private final Closeable connection;
    private final @Nullable Socket socket;
    private final InputStream in;
    private String protocol = "";
    private final OutputStream out;

    private RawClient(Socket socket) throws IOException {
        this.connection = socket;
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
        socket.setSoTimeout(10_000);
        socket.setTcpNoDelay(true);
    }

    private RawClient(SocketChannel unix) {
        this.connection = unix;
        this.socket = null;
        this.in = Channels.newInputStream(unix);
        this.out = Channels.newOutputStream(unix);
    }

    /** Over a Unix socket; without TLS. */
    public static RawClient to(Path socket) {
        try {
            return new RawClient(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static RawClient to(int port) {
        try {
            return over(new Socket(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Over what is connected already. */
    static RawClient over(Socket socket) {
        try {
            return new RawClient(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code Proxy-Authorization} as curl sends it for {@code http://task:TOKEN@…}. */
    public static String basic(String token) {
        return "Basic " + Base64.getEncoder().encodeToString(("task:" + token).getBytes(ISO_8859_1));
    }

    /** TLS from here on. @param serverName null to send none */
    public RawClient tls(SSLContext trust, @Nullable String serverName, int port) {
        return tls(trust, serverName, port, "http/1.1");
    }

    /** @param protocols offered by ALPN, in order */
    public RawClient tls(SSLContext trust, @Nullable String serverName, int port, String... protocols) {
        try {
            SSLSocket tls = (SSLSocket) trust.getSocketFactory().createSocket(socket, serverName, port, true);
            SSLParameters parameters = tls.getSSLParameters();
            if (serverName != null) {
                parameters.setServerNames(List.of(new SNIHostName(serverName)));
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
            }
            parameters.setApplicationProtocols(protocols);
            tls.setSSLParameters(parameters);
            tls.startHandshake();
            RawClient client = new RawClient(tls);
            client.protocol = tls.getApplicationProtocol();
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What ALPN chose; empty for nothing. */
    public String protocol() {
        return protocol;
    }

    /** What comes, for whoever reads another protocol. */
    public InputStream input() {
        return in;
    }

    /** How long a read waits for the next byte. @param millis 10,000 unless told */
    public RawClient patience(int millis) {
        try {
            socket.setSoTimeout(millis);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public RawClient send(String text) {
        return send(text.getBytes(ISO_8859_1));
    }

    public RawClient send(byte[] bytes) {
        try {
            out.write(bytes);
            out.flush();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Answer read() {
        return read("GET");
    }

    /** @param method of the request: an answer to HEAD has no content */
    public Answer read(String method) {
        try {
            String head = head();
            Answer bare = new Answer(head, new byte[0], "");
            int status = bare.status();
            if (method.equals("HEAD") || status < 200 || status == 204 || status == 304) {
                return bare;
            }
            if (!bare.field("Transfer-Encoding").isEmpty()) {
                ByteArrayOutputStream content = new ByteArrayOutputStream();
                String trailers = chunks(content);
                return new Answer(head, content.toByteArray(), trailers);
            }
            List<String> length = bare.field("Content-Length");
            byte[] content = length.isEmpty() ? in.readAllBytes() : in.readNBytes(Integer.parseInt(length.getFirst()));
            return new Answer(head, content, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A head alone; what follows is read by {@link #take}. */
    public String head() {
        try {
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int c = in.read();
                if (c < 0) {
                    throw new IOException("the connection ended within a head: '" + head + "'");
                }
                head.append((char) c);
            }
            return head.substring(0, head.length() - 2);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says that nothing more comes, and goes on listening. */
    public RawClient halfClose() {
        try {
            socket.shutdownOutput();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Breaks the connection off with a reset. */
    public void reset() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next chunk of a chunked answer, as soon as it is whole; empty for the last. */
    public String chunk() {
        try {
            int size = Integer.parseInt(line().split(";")[0].strip(), 16);
            String chunk = new String(in.readNBytes(size), ISO_8859_1);
            line();
            return chunk;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** At least one more byte, as many as there are; empty at the end. */
    public String take() {
        try {
            byte[] bytes = new byte[64 * 1024];
            int length = in.read(bytes);
            return length < 0 ? "" : new String(bytes, 0, length, ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything until the connection ends, however it ends. */
    public String rest() {
        StringBuilder all = new StringBuilder();
        try {
            for (int c = in.read(); c >= 0; c = in.read()) {
                all.append((char) c);
            }
        } catch (java.net.SocketTimeoutException still) {
            throw new UncheckedIOException("the connection did not end; so far: " + all, still);
        } catch (IOException reset) {
            // A reset is an end.
        }
        return all.toString();
    }

    private String chunks(ByteArrayOutputStream content) throws IOException {
        while (true) {
            int size = Integer.parseInt(line().split(";")[0].strip(), 16);
            content.write(in.readNBytes(size));
            if (size == 0) {
                StringBuilder trailers = new StringBuilder();
                for (String line = line(); !line.isEmpty(); line = line()) {
                    trailers.append(line).append("\r\n");
                }
                return trailers.toString();
            }
            line();
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the connection ended within a line");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
