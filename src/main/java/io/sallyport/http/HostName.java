package io.sallyport.http;

/** The one canonical form of a host: A-labels (UTS 46), lower case, one trailing dot off, IP literals in one spelling. */
public final class HostName {

    private HostName() {}

    /**
     * @param raw as in a CONNECT target, a Host field or a document; an IPv6 literal with or without brackets
     * @return malformed for empty or over-long labels (63) and names (253), percent escapes, white space, and numeric spellings of
     *     IPv4 addresses other than four decimal octets
     */
    public static Parsed<String> canonical(String raw) {
        throw new IllegalStateException("to be written: " + raw);
    }
}
