package io.sallyport.grant;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The SHA-256 of a token: what a cache may keep of it, so that a heap dump holds no token that could be used. */
record TokenDigest(long a, long b, long c, long d) {

    static TokenDigest of(String token) {
        try {
            ByteBuffer digest = ByteBuffer.wrap(
                    MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.ISO_8859_1)));
            return new TokenDigest(digest.getLong(), digest.getLong(), digest.getLong(), digest.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
