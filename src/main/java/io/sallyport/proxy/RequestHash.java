package io.sallyport.proxy;

import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.RequestHead;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * {@code request_sha256}: over method, canonical target, forwarded fields without the credential, and the content's hash. The hashed text
 * is one line each, ended by a line feed: {@code METHOD}, {@code TARGET}, {@code name: value} with the name in lower case for every
 * forwarded field in order, the trailers' after the head's, an empty line, the content's hash.
 */
public final class RequestHash {

    private static final MessageDigest UNUSED = made();

    /** For what is hashed in one go: it is as unused afterwards as before. */
    private static final ThreadLocal<MessageDigest> OF_THE_THREAD = ThreadLocal.withInitial(RequestHash::sha256);

    private RequestHash() {}

    /** @param contentSha256 lower-case hexadecimal */
    public static String of(RequestHead head, String contentSha256) {
        return of(head, Fields.EMPTY, contentSha256);
    }

    /** @param contentSha256 lower-case hexadecimal */
    public static String of(RequestHead head, Fields trailers, String contentSha256) {
        String path = head.target().path();
        String query = head.target().query();
        int length = head.method().length() + path.length() + (query == null ? 0 : query.length());
        Lines lines = new Lines(length + length(head.fields()) + length(trailers) + contentSha256.length() + 5);
        lines.text(head.method()).end().text(path);
        if (query != null) {
            lines.text("?").text(query);
        }
        lines.end()
                .fields(head.fields())
                .fields(trailers)
                .end()
                .text(contentSha256)
                .end();
        MessageDigest digest = OF_THE_THREAD.get();
        digest.update(lines.bytes, 0, lines.length);
        return HexFormat.of().formatHex(digest.digest());
    }

    private static int length(Fields fields) {
        int length = 0;
        for (Field line : fields) {
            length += line.name().length() + line.value().length() + 3;
        }
        return length;
    }

    /** Text as bytes of ISO 8859-1, in which the wire's bytes are characters one to one. */
    private static final class Lines {
        private final byte[] bytes;
        private int length;

        Lines(int most) {
            bytes = new byte[most];
        }

        Lines text(String text) {
            for (int i = 0; i < text.length(); i++) {
                put(text.charAt(i));
            }
            return this;
        }

        Lines fields(Fields fields) {
            for (Field line : fields) {
                if (!line.sensitive()) {
                    name(line.name()).text(": ").text(line.value()).end();
                }
            }
            return this;
        }

        /** Names are tokens, so lower case is ASCII's. */
        private Lines name(String name) {
            for (int i = 0; i < name.length(); i++) {
                char c = name.charAt(i);
                put(c >= 'A' && c <= 'Z' ? (char) (c | 0x20) : c);
            }
            return this;
        }

        Lines end() {
            put('\n');
            return this;
        }

        private void put(char c) {
            bytes[length++] = (byte) (c <= 0xff ? c : '?');
        }
    }

    /** A fresh SHA-256: a copy of an unused one, since looking for its maker costs as much as hashing a request. */
    public static MessageDigest sha256() {
        try {
            return (MessageDigest) UNUSED.clone();
        } catch (CloneNotSupportedException other) {
            return made();
        }
    }

    private static MessageDigest made() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
