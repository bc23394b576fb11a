package io.sallyport.cli.show;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** The agent of the show: knows the hop, the authority to trust and its task token, and nothing else. Speaks in raw bytes, so that nothing is hidden. */
final class ShowAgent {

    private final int hopPort;
    private final String token;
    private final SSLContext trust;

    ShowAgent(int hopPort, String token, String authorityPem) {
        this.hopPort = hopPort;
        this.token = token;
        this.trust = trusting(authorityPem);
    }

    record Answer(String statusLine, String head, String body) {

        int status() {
            return Integer.parseInt(statusLine.split(" ", 3)[1]);
        }
    }

    /** An answer that is still running. */
    static final class Running implements AutoCloseable {

        private final Socket socket;
        private final InputStream in;

        private Running(Socket socket, InputStream in) {
            this.socket = socket;
            this.in = in;
        }

        /** Reads on until the far side ends it, one way or another. @return how many bytes came */
        long drain() {
            long bytes = 0;
            byte[] buffer = new byte[8192];
            try {
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    bytes += n;
                }
            } catch (IOException cut) {
                return bytes;
            }
            return bytes;
        }

        void readSome() throws IOException {
            for (int n = 0; n < 60; n++) {
                in.read();
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** One request in a tunnel of its own. When CONNECT itself is refused, that is the answer. */
    Answer send(String host, int port, String requestLine, List<String> fields, byte[] content) throws IOException {
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), hopPort)) {
            plain.setSoTimeout(20_000);
            Answer connect = connect(plain, host, port);
            if (connect.status() != 200) {
                return connect;
            }
            SSLSocket tls = handshake(plain, host, port);
            write(tls, requestLine, host + ":" + port, fields, content);
            return read(new BufferedInputStream(tls.getInputStream()));
        }
    }

    Running open(String host, int port, String requestLine) throws IOException {
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), hopPort);
        plain.setSoTimeout(20_000);
        connect(plain, host, port);
        SSLSocket tls = handshake(plain, host, port);
        write(tls, requestLine, host + ":" + port, List.of(), new byte[0]);
        Running running = new Running(tls, new BufferedInputStream(tls.getInputStream()));
        running.readSome();
        return running;
    }

    private Answer connect(Socket plain, String host, int port) throws IOException {
        String basic = Base64.getEncoder().encodeToString(("task:" + token).getBytes(StandardCharsets.US_ASCII));
        String head = "CONNECT " + host + ":" + port + " HTTP/1.1\r\nHost: " + host + ":" + port
                + "\r\nProxy-Authorization: Basic " + basic + "\r\n\r\n";
        plain.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        return read(plain.getInputStream());
    }

    private SSLSocket handshake(Socket plain, String host, int port) throws IOException {
        SSLSocket tls = (SSLSocket) trust.getSocketFactory().createSocket(plain, host, port, true);
        var parameters = tls.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        tls.setSSLParameters(parameters);
        tls.startHandshake();
        return tls;
    }

    private static void write(Socket socket, String line, String host, List<String> fields, byte[] content)
            throws IOException {
        StringBuilder head = new StringBuilder(line)
                .append(" HTTP/1.1\r\nHost: ")
                .append(host)
                .append("\r\n");
        fields.forEach(field -> head.append(field).append("\r\n"));
        if (content.length > 0) {
            head.append("Content-Length: ").append(content.length).append("\r\n");
        }
        socket.getOutputStream().write(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(content);
        socket.getOutputStream().flush();
    }

    private static Answer read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the hop closed after: " + head);
            }
            head.append((char) next);
        }
        int length = head.toString()
                .lines()
                .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElse(0);
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        return new Answer(head.substring(0, head.indexOf("\r\n")), head.toString(), body);
    }

    private static SSLContext trusting(String pem) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry(
                    "broker",
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII))));
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("can't trust the broker's authority", e);
        }
    }
}
