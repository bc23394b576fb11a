package io.sallyport.bench.hop;

import java.util.Locale;

/**
 * What is asked of the origin.
 *
 * @param contentLength 0 for a GET
 * @param perSecond for an open loop; 0 for as fast as the answers come
 */
record Load(String name, int contentLength, int connections, int perSecond) {

    byte[] request(String host, String authorization) {
        String head = "%s /bench HTTP/1.1\r\nHost: %s\r\n%s%s\r\n"
                .formatted(
                        contentLength == 0 ? "GET" : "POST",
                        host,
                        authorization.isEmpty() ? "" : "Authorization: " + authorization + "\r\n",
                        contentLength == 0 ? "" : String.format(Locale.ROOT, "Content-Length: %d\r\n", contentLength));
        return (head + "b".repeat(contentLength)).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }
}
