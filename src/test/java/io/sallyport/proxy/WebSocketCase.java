package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.Frames;
import io.sallyport.testing.HopCase;
import io.sallyport.testing.RawClient;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;

/** Cases around an origin that speaks WebSocket, and keeps each frame that it got. */
abstract class WebSocketCase extends HopCase {

    static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";

    /** Scope {@code socket} with a credential, {@code talk} over plain HTTP without one. */
    static final String POLICY = TestHop.POLICY + """
              socket:
                reason: Talks
                destination: {url: "https://api.up.test:${tls}", addresses: [127.0.0.0/8]}
                allow: ["GET /ws/**"]
                upgrade: [websocket]
                credential: up
              talk:
                reason: Talks in the clear
                destination: {url: "http://talk.up.test:${plain}", addresses: [127.0.0.0/8]}
                allow: ["GET /**"]
                upgrade: [websocket]
                credential: none
            """;

    final List<Frames.Frame> got = new CopyOnWriteArrayList<>();

    @Override
    protected TestHop startHop() {
        return TestHop.start(settings -> settings, POLICY);
    }

    @BeforeEach
    void echo() {
        got.clear();
        hop.origin().converse(this::echo);
        hop.plainOrigin().converse(this::echo);
    }

    /** Answers every message with itself, a ping with a pong, a close with a close. */
    void echo(TestOrigin.Received request, InputStream in, OutputStream out) throws IOException {
        accept(request, out);
        frames(in, out);
    }

    void frames(InputStream in, OutputStream out) throws IOException {
        try {
            while (true) {
                Frames.Frame frame = Frames.read(in);
                got.add(frame);
                out.write(Frames.plain(frame.first() == Frames.PING ? Frames.PONG : frame.first(), frame.payload()));
                out.flush();
                if (frame.first() == Frames.CLOSE) {
                    return;
                }
            }
        } catch (EOFException gone) {
            // The other side broke off.
        }
    }

    static void accept(TestOrigin.Received request, OutputStream out, String... more) throws IOException {
        StringBuilder head = new StringBuilder("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\nSec-WebSocket-Accept: "
                + Frames.accept(request.field("Sec-WebSocket-Key").getFirst()) + "\r\n");
        for (String line : more) {
            head.append(line).append("\r\n");
        }
        out.write((head + "\r\n").getBytes(ISO_8859_1));
        out.flush();
    }

    String handshake(String path, String... more) {
        return handshakeAt(hop.host("api.up.test"), path, more);
    }

    static String handshakeAt(String host, String path, String... more) {
        String[] fields = new String[more.length + 4];
        fields[0] = "Connection: keep-alive, Upgrade";
        fields[1] = "Upgrade: websocket";
        fields[2] = "Sec-WebSocket-Key: " + KEY;
        fields[3] = "Sec-WebSocket-Version: 13";
        System.arraycopy(more, 0, fields, 4, more.length);
        return text("GET " + path, host, fields);
    }

    /** Connected and switched. */
    RawClient open(String token) {
        RawClient agent = hop.tunnel("api.up.test", token);
        assertThat(agent.send(handshake("/ws/x")).head()).startsWith("HTTP/1.1 101");
        return agent;
    }

    static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
