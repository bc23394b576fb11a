package io.sallyport.proxy;

import io.sallyport.http.HostName;
import io.sallyport.http.Parsed;

/** {@code host} or {@code host:port} as it stands in a CONNECT target or a Host field. @param port 1 to 65535 */
record Authority(String host, int port) {

    /** @param defaultPort what a missing port means; 0 when the port must be written */
    static Parsed<Authority> parse(String text, int defaultPort) {
        int close = text.startsWith("[") ? text.indexOf(']') : -1;
        int colon = text.indexOf(':', Math.max(close, 0));
        String host = colon < 0 ? text : text.substring(0, colon);
        int port = colon < 0 ? defaultPort : port(text.substring(colon + 1), defaultPort);
        if (port < 1 || port > 65_535) {
            return Parsed.malformed("the authority is HOST:PORT, with a port of 1 to 65535");
        }
        return HostName.canonical(host).then(canonical -> Parsed.valid(new Authority(canonical, port)));
    }

    private static int port(String digits, int defaultPort) {
        if (digits.isEmpty()) {
            return defaultPort;
        }
        if (digits.length() > 5 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return -1;
        }
        return Integer.parseInt(digits);
    }
}
