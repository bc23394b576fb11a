package io.sallyport.bench.hop;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * What is asked of the origin.
 *
 * @param contentLength 0 for a GET
 * @param perSecond for an open loop; 0 for as fast as the answers come
 * @param fresh true for a new connection (and tunnel, and handshake) for each request
 */
record Load(String name, String target, int contentLength, int connections, int perSecond, boolean fresh) {

    static Load kept(String name, String target, int contentLength) {
        return new Load(name, target, contentLength, 64, 0, false);
    }

    static Load steady(int perSecond) {
        return new Load("GET at " + perSecond + "/s", "/bench", 0, perSecond < 1000 ? 16 : 64, perSecond, false);
    }

    byte[] request(String host) {
        String head = "%s %s HTTP/1.1\r\nHost: %s\r\n%s\r\n"
                .formatted(
                        contentLength == 0 ? "GET" : "POST",
                        target,
                        host,
                        contentLength == 0 ? "" : String.format(Locale.ROOT, "Content-Length: %d\r\n", contentLength));
        return (head + "b".repeat(contentLength)).getBytes(StandardCharsets.US_ASCII);
    }
}
