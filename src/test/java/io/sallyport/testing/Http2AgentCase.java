package io.sallyport.testing;

import java.util.stream.Stream;

/** Cases of agents that speak HTTP/2 frame by frame. */
public abstract class Http2AgentCase extends HopCase {

    /** Lines of a request in a tunnel to {@code api.up.test}. */
    protected String[] head(String method, String path, String... more) {
        return lines(method, "https", hop.host("api.up.test"), path, more);
    }

    protected static String[] lines(String method, String scheme, String authority, String path, String... more) {
        return Stream.concat(
                        Stream.of(":method", method, ":scheme", scheme, ":authority", authority, ":path", path),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    /** In clear, with prior knowledge. */
    protected RawHttp2Client clear(int... settings) {
        return RawHttp2Client.over(hop.connect(), settings);
    }
}
