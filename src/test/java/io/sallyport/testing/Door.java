package io.sallyport.testing;

import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import java.util.Locale;

/**
 * The ways into the hop that one request can take. A case that holds at one of them has to hold at all, so it is written once and asked of
 * each: see {@link EveryDoor}. The hop of such a case runs {@link #POLICY}, whose scopes are there for each door: {@code read} (GET
 * /v1/**), {@code write} (POST, PUT /v1/**), {@code small} (POST /small, 64 KiB) and {@code any} (* /any/**), all with the credential.
 */
public enum Door {

    /** CONNECT, then TLS with the hop in the origin's place. */
    TUNNEL("https"),
    /** CONNECT to a plain origin: HTTP without TLS inside. */
    PLAIN_TUNNEL("http"),
    /** An absolute-form target whose origin speaks TLS. */
    ABSOLUTE("https"),
    /** An absolute-form target of a plain origin. */
    PLAIN_ABSOLUTE("http"),
    /** The gateway's path. */
    GATEWAY("https"),
    /** The gateway's path for a plain origin. */
    PLAIN_GATEWAY("http"),
    /** CONNECT, then TLS and HTTP/2 by ALPN. */
    H2_TUNNEL("https"),
    /** CONNECT to a plain origin, then HTTP/2 with prior knowledge. */
    H2_PLAIN_TUNNEL("http"),
    /** CONNECT on a stream at the hop's own TLS, and in it TLS and HTTP/2 again. */
    H2_STREAM_TUNNEL("https"),
    /** A stream at the hop's own TLS that names its origin. */
    H2_FORWARD("https"),
    /** A stream in clear, with prior knowledge, that names its origin. */
    H2C_PLAIN_FORWARD("http"),
    /** The gateway's path on a stream at the hop's own TLS. */
    H2_GATEWAY("https"),
    /** The gateway's path on a stream in clear, with prior knowledge. */
    H2C_GATEWAY("https"),
    /** On its way to the origin in TLS, and led to the hop out of a network namespace. */
    LED("https"),
    /** The same without TLS. */
    PLAIN_LED("http"),
    /** Led here, with TLS and HTTP/2 by ALPN. */
    H2_LED("https"),
    /** Led here, with HTTP/2 by prior knowledge. */
    H2_PLAIN_LED("http");

    private static final String SCOPES = """
          KIND-read:
            reason: Reads
            destination: {url: "SCHEME://KIND.up.test:PORT", addresses: [127.0.0.0/8]}
            allow: ["GET /v1/**"]
            credential: up
          KIND-write:
            reason: Writes
            destination: {url: "SCHEME://KIND.up.test:PORT", addresses: [127.0.0.0/8]}
            allow: ["POST,PUT /v1/**", "POST /v1/issued/oauth/token"]
            credential: up
          KIND-small:
            reason: Writes little
            destination: {url: "SCHEME://KIND.up.test:PORT", addresses: [127.0.0.0/8]}
            allow: ["POST /small"]
            limits: {body: 64KiB}
            credential: up
          KIND-any:
            reason: Any method
            destination: {url: "SCHEME://KIND.up.test:PORT", addresses: [127.0.0.0/8]}
            allow: ["* /any/**"]
            credential: up
        """;

    /** One policy for all doors; {@code api.up.test} speaks TLS and {@code clear.up.test} does not. */
    public static final String POLICY = """
        sallyport: v1
        policy: fixer
        owner: team@example.com
        reason: Exercises every door
        review-by: 2099-01-01
        who:
          - {identity: ci, subject: "agent-1"}
        task: {ttl: 15min, uses: 10000000, bytes-out: 100GiB, depth: 2, binding: address}
        scopes:
        """ + written("api", "https", "${tls}") + written("clear", "http", "${plain}");

    private final String scheme;

    Door(String scheme) {
        this.scheme = scheme;
    }

    private static String written(String kind, String scheme, String port) {
        return SCOPES.replace("KIND", kind).replace("SCHEME", scheme).replace("PORT", port);
    }

    /** The origin behind this door. */
    public TestOrigin origin(TestHop hop) {
        return scheme.equals("https") ? hop.origin() : hop.plainOrigin();
    }

    /** {@code HOST:PORT} of it. */
    public String authority(TestHop hop) {
        return host() + ":" + origin(hop).port();
    }

    /** The full names of scopes at this door. */
    public String[] scopes(String... names) {
        String[] full = new String[names.length];
        for (int i = 0; i < names.length; i++) {
            full[i] = kind() + "-" + names[i];
        }
        return full;
    }

    public String scheme() {
        return scheme;
    }

    public boolean http2() {
        return name().startsWith("H2");
    }

    public boolean gateway() {
        return name().endsWith("GATEWAY");
    }

    /** Whether each request names its origin, and shows the token. */
    public boolean forwards() {
        return name().endsWith("ABSOLUTE") || name().endsWith("FORWARD");
    }

    /** Whether a connection is for one origin and has one grant, which no request shows. */
    public boolean tunnels() {
        return name().endsWith("TUNNEL") || led();
    }

    /** Whether nobody in there knows of the hop: a task is known by the address that it comes from. */
    public boolean led() {
        return name().endsWith("LED");
    }

    String gatewayPath(Ask ask) {
        return "/gateway/fixer:" + kind() + "-" + ask.scope() + ask.path();
    }

    private String kind() {
        return scheme.equals("https") ? "api" : "clear";
    }

    private String host() {
        return kind() + ".up.test";
    }

    /** A live token of all its scopes. */
    public String token(TestHop hop) {
        return token(hop, "read", "write", "small", "any");
    }

    /** A live token for this door. @param names of scopes, without their kind */
    public String token(TestHop hop, String... names) {
        return hop.token(grant(hop, names));
    }

    /** A live grant of a task that comes in by this door. @param names of scopes, without their kind */
    public Grant grant(TestHop hop, String... names) {
        return led() ? hop.ledGrant(scopes(names)) : hop.grant(scopes(names));
    }

    /** An agent at this door. */
    public Caller call(TestHop hop, String token) {
        return http2() ? new Http2Caller(hop, this, token, http2(hop, token)) : new Http1Caller(hop, this, token);
    }

    /** A connection of HTTP/2, its preface said. */
    public RawHttp2Client http2(TestHop hop, String token) {
        return switch (this) {
            case H2_TUNNEL -> hop.http2(host(), token);
            case H2_PLAIN_TUNNEL -> RawHttp2Client.over(plainTunnel(hop, token));
            case H2_STREAM_TUNNEL -> streamTunnel(hop, token);
            case H2_LED ->
                RawHttp2Client.over(
                        led(hop, token).tls(hop.trust(), host(), origin(hop).port(), "h2"));
            case H2_PLAIN_LED -> RawHttp2Client.over(led(hop, token));
            case H2_FORWARD, H2_GATEWAY -> secure(hop);
            case H2C_PLAIN_FORWARD, H2C_GATEWAY -> RawHttp2Client.over(hop.connect());
            default -> throw new IllegalStateException(this + " speaks HTTP/1");
        };
    }

    private static RawHttp2Client secure(TestHop hop) {
        return RawHttp2Client.over(hop.connect().tls(hop.trust(), "localhost", hop.port(), "h2", "http/1.1"));
    }

    private RawHttp2Client streamTunnel(TestHop hop, String token) {
        RawHttp2Client outer = secure(hop);
        int stream = outer.begin(
                ":method", "CONNECT", ":authority", authority(hop), "proxy-authorization", RawClient.basic(token));
        int status = outer.head(stream).status();
        if (status != 200) {
            throw new IllegalStateException("CONNECT was answered: " + status);
        }
        return RawHttp2Client.over(RawClient.over(new StreamSocket(outer, stream))
                .tls(hop.trust(), host(), origin(hop).port(), "h2"));
    }

    /** A connection on which {@link #head} can be sent, of HTTP/1. */
    public RawClient open(TestHop hop, String token) {
        return switch (this) {
            case TUNNEL -> hop.tunnel(host(), token);
            case PLAIN_TUNNEL -> plainTunnel(hop, token);
            case LED -> led(hop, token).tls(hop.trust(), host(), origin(hop).port());
            case PLAIN_LED -> led(hop, token);
            case ABSOLUTE, PLAIN_ABSOLUTE, GATEWAY, PLAIN_GATEWAY -> hop.connect();
            default -> throw new IllegalStateException(this + " speaks HTTP/2");
        };
    }

    private RawClient led(TestHop hop, String token) {
        return hop.led(
                hop.room(Grants.class).named(token).orElseThrow(), origin(hop).port());
    }

    private RawClient plainTunnel(TestHop hop, String token) {
        RawClient agent = hop.connect();
        String to = authority(hop);
        agent.send("CONNECT " + to + " HTTP/1.1\r\nHost: " + to + "\r\nProxy-Authorization: " + RawClient.basic(token)
                + "\r\n\r\n");
        String head = agent.head();
        if (!head.startsWith("HTTP/1.1 200")) {
            throw new IllegalStateException("CONNECT was answered: " + head);
        }
        return agent;
    }

    /**
     * A request's head as it is written at this door, with the empty line.
     *
     * @param line method and path, as in {@code GET /v1/x}
     */
    public String head(TestHop hop, String token, String line, String... fields) {
        return headWithout(hop, token, line, fields) + "\r\n";
    }

    /** The same without the empty line: a test goes on with lines of its own. */
    public String headWithout(TestHop hop, String token, String line, String... fields) {
        int space = line.indexOf(' ');
        String method = line.substring(0, space);
        String path = line.substring(space + 1);
        String authority = authority(hop);
        StringBuilder head = new StringBuilder(method).append(' ');
        switch (this) {
            case TUNNEL, PLAIN_TUNNEL, LED, PLAIN_LED ->
                head.append(path).append(" HTTP/1.1\r\nHost: ").append(authority);
            case ABSOLUTE, PLAIN_ABSOLUTE ->
                head.append(scheme)
                        .append("://")
                        .append(authority)
                        .append(path)
                        .append(" HTTP/1.1\r\nHost: ")
                        .append(authority)
                        .append("\r\nProxy-Authorization: ")
                        .append(RawClient.basic(token));
            case GATEWAY, PLAIN_GATEWAY ->
                head.append(gatewayPath(Ask.of(line)))
                        .append(" HTTP/1.1\r\nHost: localhost\r\nx-api-key: ")
                        .append(token);
            default -> throw new IllegalStateException(this + " speaks HTTP/2");
        }
        head.append("\r\n");
        for (String field : fields) {
            head.append(field).append("\r\n");
        }
        return head.toString();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
