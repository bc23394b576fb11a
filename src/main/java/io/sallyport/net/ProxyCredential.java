package io.sallyport.net;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who the broker is at the proxy at the way out. It goes into requests for tunnels and nowhere else; read once, at start. */
public final class ProxyCredential {

    private static final String KEY = "sallyport.proxy.upstream-proxy-credential";
    private static final int LONGEST = 1024;

    private static final Set<PosixFilePermission> OTHERS = Set.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private final String basic;

    private ProxyCredential(String userAndPassword) {
        this.basic = "Basic " + Base64.getEncoder().encodeToString(userAndPassword.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * @param place {@code file:PATH} or {@code env:NAME}, of {@code USER:PASSWORD}
     * @throws IllegalArgumentException saying what is allowed, never what was found
     */
    static ProxyCredential from(String place) {
        String text;
        if (place.startsWith("file:") && place.length() > 5) {
            text = file(Path.of(place.substring(5)));
        } else if (place.startsWith("env:") && place.length() > 4) {
            text = System.getenv(place.substring(4));
        } else {
            throw new IllegalArgumentException(KEY + " is file:PATH or env:NAME");
        }
        if (text == null) {
            throw new IllegalArgumentException(KEY + ": " + place + " is not set");
        }
        return new ProxyCredential(checked(place, text.strip()));
    }

    private static String file(Path path) {
        try {
            if (Files.getPosixFilePermissions(path).stream().anyMatch(OTHERS::contains)) {
                throw new IllegalArgumentException(
                        KEY + ": " + path + " can be read or written by others; take that away: chmod go-rwx " + path);
            }
            return Files.size(path) > LONGEST ? "" : Files.readString(path, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new IllegalArgumentException(KEY + ": " + path + " can't be read", e);
        }
    }

    private static String checked(String place, String text) {
        boolean printable = text.chars().allMatch(c -> c >= ' ' && c <= '~');
        if (text.indexOf(':') < 1 || text.length() > LONGEST || !printable) {
            throw new IllegalArgumentException(KEY + ": " + place
                    + " must hold USER:PASSWORD in printable ASCII, at most " + LONGEST + " characters");
        }
        return text;
    }

    /** The value of Proxy-Authorization (RFC 7617). */
    String basic() {
        return basic;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ProxyCredential that && basic.equals(that.basic);
    }

    @Override
    public int hashCode() {
        return ProxyCredential.class.hashCode();
    }

    /** Never what it is. */
    @Override
    public String toString() {
        return "a credential";
    }
}
