package io.sallyport.credential.aws;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How a service canonicalises a path.
 *
 * @param normalized dot segments are resolved, and empty segments dropped
 * @param escapedAgain the path as it stands in the request line is escaped once more
 */
public record PathStyle(boolean normalized, boolean escapedAgain) {

    /** S3: a key is any text, and {@code a//b} another one than {@code a/b}. */
    public static final PathStyle OPAQUE = new PathStyle(false, false);

    /** All other services. */
    public static final PathStyle USUAL = new PathStyle(true, true);

    /** @param path of the request line, from its first slash */
    String canonical(String path) {
        String resolved = normalized ? resolve(path) : path;
        return escapedAgain ? UriEncoding.encodePath(resolved) : UriEncoding.complete(resolved, true);
    }

    /** RFC 3986 section 5.2.4, and runs of slashes made one. */
    private static String resolve(String path) {
        Deque<String> kept = new ArrayDeque<>();
        for (String segment : path.split("/")) {
            switch (segment) {
                case "", "." -> {}
                case ".." -> kept.pollLast();
                default -> kept.addLast(segment);
            }
        }
        boolean folder = path.endsWith("/") && !kept.isEmpty();
        return "/" + String.join("/", kept) + (folder ? "/" : "");
    }
}
