package io.sallyport.credential.aws;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An access key: its id, its secret, and the token of a session where it is a temporary one. Zeroed when closed; it has no text form. */
public final class AccessKey implements AutoCloseable {

    private final String id;
    private final byte[] secret;
    private final byte @Nullable [] sessionToken;

    /** @param secret and @param sessionToken are copied; null for a key that is not of a session */
    public AccessKey(String id, byte[] secret, byte @Nullable [] sessionToken) {
        this.id = id;
        this.secret = secret.clone();
        this.sessionToken = sessionToken == null ? null : sessionToken.clone();
    }

    public String id() {
        return id;
    }

    /** Not a copy. */
    byte[] secret() {
        return secret;
    }

    /** Made anew for each request: a String can't be zeroed. */
    @Nullable
    String sessionToken() {
        return sessionToken == null ? null : new String(sessionToken, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        Arrays.fill(secret, (byte) 0);
        if (sessionToken != null) {
            Arrays.fill(sessionToken, (byte) 0);
        }
    }

    @Override
    public String toString() {
        return "AccessKey[***]";
    }
}
