package io.sallyport.ledger;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 as the record writes it: 64 lower-case hexadecimal digits. */
public final class Sha256 {

    static final int BYTES = 32;

    private static final HexFormat HEX = HexFormat.of();
    private static final int CHUNK = 1 << 16;

    private Sha256() {}

    /** The hash of a file's bytes, however large it is: what {@code ledger find FILE} looks for. */
    public static String ofFile(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return of(in);
        }
    }

    /** Reads to the end; does not close. */
    public static String of(InputStream in) throws IOException {
        MessageDigest digest = digest();
        byte[] chunk = new byte[CHUNK];
        for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
            digest.update(chunk, 0, n);
        }
        return hex(digest.digest());
    }

    public static String of(byte[] bytes) {
        return hex(digest().digest(bytes));
    }

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static String hex(byte[] hash) {
        return HEX.formatHex(hash);
    }

    /** @throws IllegalArgumentException for anything but 64 lower-case hexadecimal digits: two spellings would be two hashes */
    static byte[] parse(String hex) {
        if (hex.length() != 2 * BYTES || !lowerCase(hex)) {
            throw new IllegalArgumentException("a SHA-256 is 64 lower-case hexadecimal digits");
        }
        return HEX.parseHex(hex);
    }

    private static boolean lowerCase(String hex) {
        for (int i = 0; i < hex.length(); i++) {
            char c = hex.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }
}
