package io.sallyport.proxy;

import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * {@code request_sha256}: over method, canonical target, forwarded fields without the credential, and the content's hash. The hashed text
 * is one line each, ended by a line feed: {@code METHOD}, {@code TARGET}, {@code name: value} with the name in lower case for every
 * forwarded field in order, the trailers' after the head's, an empty line, the content's hash.
 */
public final class RequestHash {

    private RequestHash() {}

    /** @param contentSha256 lower-case hexadecimal */
    public static String of(RequestHead head, String contentSha256) {
        return of(head, Fields.EMPTY, contentSha256);
    }

    /** @param contentSha256 lower-case hexadecimal */
    public static String of(RequestHead head, Fields trailers, String contentSha256) {
        StringBuilder text = new StringBuilder(256)
                .append(head.method())
                .append('\n')
                .append(head.target().text())
                .append('\n');
        head.fields().forEach(line -> add(text, line));
        trailers.forEach(line -> add(text, line));
        text.append('\n').append(contentSha256).append('\n');
        return HexFormat.of().formatHex(sha256().digest(text.toString().getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static void add(StringBuilder text, Field line) {
        if (!line.sensitive()) {
            text.append(line.name().toLowerCase(Locale.ROOT))
                    .append(": ")
                    .append(line.value())
                    .append('\n');
        }
    }

    /** A fresh SHA-256, which every Java platform has. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
