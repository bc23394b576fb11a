package io.sallyport.proxy;

import io.sallyport.http.HostName;
import io.sallyport.http.Parsed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hop's settings.
 *
 * @param port 0 to 65535; 0 lets the system choose
 * @param bind the address to listen on
 * @param upstreamTrust PEM file of roots to trust besides the system's; null for none
 * @param authority PEM file of an authority that was brought along; null for the broker's own
 * @param names under which the hop shows itself when it is spoken to in TLS; the first one is the default
 * @param jdkTransport true to use the JDK's sockets and TLS even where the native ones load
 * @param limits how much of it one peer or task may hold
 * @param deadlines how long the hop waits for whom
 * @param http2 what one agent's HTTP/2 connection may have
 */
public record ProxySettings(
        int port,
        String bind,
        @Nullable Path upstreamTrust,
        @Nullable Path authority,
        List<String> names,
        boolean jdkTransport,
        Limits limits,
        Deadlines deadlines,
        Http2 http2) {

    /**
     * @param streams at one time, 1 to 10,000
     * @param window of content in bytes that a stream may send before any of it is taken, 16 KiB to 16 MiB: what a slow destination costs
     * @param resets of streams in a minute, at least 10
     * @param controlFrames in a minute, at least 100, that carry neither request nor content; what goes out allows for more
     */
    public record Http2(int streams, int window, int resets, int controlFrames) {

        public static final Http2 DEFAULT = new Http2(100, 256 * 1024, 400, 2_000);

        public Http2 {
            check("streams", streams, 1, 10_000);
            check("window", window, 16 * 1024, 16 * 1024 * 1024);
            check("resets", resets, 10, 1_000_000);
            check("control-frames", controlFrames, 100, 10_000_000);
        }

        private static void check(String key, int value, int least, int most) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(
                        "sallyport.proxy.http2." + key + " is " + least + " to " + most + ": " + value);
            }
        }
    }

    /**
     * @param requestHead from the first byte of a head to its end, and from a connection's start to its first byte
     * @param handshake of TLS, on either side
     * @param dial of one address
     * @param idle of an agent's connection, also within a stream
     * @param pooledIdle of an upstream connection that serves nobody
     * @param patience that a small body gets to arrive whole, so that it is one entry
     * @param recognition from a connection's start until a live grant is shown on it, whatever else goes on there
     * @param bodyIdle for the next byte of a content of known length that the hop waits for
     * @param stall that a peer may leave no room for more of what is meant for it
     * @param drain that requests which run get to end when the broker stops
     */
    public record Deadlines(
            Duration requestHead,
            Duration handshake,
            Duration dial,
            Duration idle,
            Duration pooledIdle,
            Duration patience,
            Duration recognition,
            Duration bodyIdle,
            Duration stall,
            Duration drain) {

        public static final Deadlines DEFAULT = new Deadlines(
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofMinutes(15),
                Duration.ofSeconds(30),
                Duration.ofMillis(5),
                Duration.ofSeconds(30),
                Duration.ofMinutes(1),
                Duration.ofMinutes(5),
                Duration.ofSeconds(5));

        public Deadlines {
            check("request-head", requestHead);
            check("handshake", handshake);
            check("dial", dial);
            check("idle", idle);
            check("pooled-idle", pooledIdle);
            check("patience", patience);
            check("recognition", recognition);
            check("body-idle", bodyIdle);
            check("stall", stall);
            check("drain", drain);
        }

        public Deadlines withHead(Duration head, Duration ofRecognition) {
            return new Deadlines(
                    head, handshake, dial, idle, pooledIdle, patience, ofRecognition, bodyIdle, stall, drain);
        }

        public Deadlines withStreams(Duration ofConnection, Duration ofBody, Duration ofStall) {
            return new Deadlines(
                    requestHead,
                    handshake,
                    dial,
                    ofConnection,
                    pooledIdle,
                    patience,
                    recognition,
                    ofBody,
                    ofStall,
                    drain);
        }

        public Deadlines withDrain(Duration other) {
            return new Deadlines(
                    requestHead, handshake, dial, idle, pooledIdle, patience, recognition, bodyIdle, stall, other);
        }

        private static void check(String key, Duration deadline) {
            // The timers count milliseconds: less would be no time at all.
            if (deadline.compareTo(Duration.ofMillis(1)) < 0 || deadline.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException(
                        "sallyport.proxy.deadlines." + key + " is 1ms to 1d, as in 10s: " + deadline);
            }
        }
    }

    public ProxySettings {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("sallyport.proxy.port is 0 to 65535: " + port);
        }
        if (names.isEmpty()) {
            throw new IllegalArgumentException("sallyport.proxy.names has at least one name");
        }
        names = names.stream().map(ProxySettings::canonical).toList();
    }

    private static String canonical(String name) {
        return switch (HostName.canonical(name)) {
            case Parsed.Valid<String>(String host) -> host;
            case Parsed.Malformed<String>(String reason) ->
                throw new IllegalArgumentException(
                        "sallyport.proxy.names: \"" + name + "\" is no host name: " + reason);
        };
    }

    /** With the usual deadlines. */
    public static ProxySettings of(int port, String bind, @Nullable Path upstreamTrust) {
        return new ProxySettings(
                port,
                bind,
                upstreamTrust,
                null,
                List.of("localhost"),
                false,
                Limits.usual(),
                Deadlines.DEFAULT,
                Http2.DEFAULT);
    }

    public ProxySettings withNames(List<String> others) {
        return new ProxySettings(port, bind, upstreamTrust, authority, others, jdkTransport, limits, deadlines, http2);
    }

    public ProxySettings withAuthority(@Nullable Path brought) {
        return new ProxySettings(port, bind, upstreamTrust, brought, names, jdkTransport, limits, deadlines, http2);
    }

    public ProxySettings withJdkTransport() {
        return new ProxySettings(port, bind, upstreamTrust, authority, names, true, limits, deadlines, http2);
    }

    public ProxySettings with(Deadlines other) {
        return new ProxySettings(port, bind, upstreamTrust, authority, names, jdkTransport, limits, other, http2);
    }

    public ProxySettings with(Limits other) {
        return new ProxySettings(port, bind, upstreamTrust, authority, names, jdkTransport, other, deadlines, http2);
    }

    public ProxySettings with(Http2 other) {
        return new ProxySettings(port, bind, upstreamTrust, authority, names, jdkTransport, limits, deadlines, other);
    }
}
