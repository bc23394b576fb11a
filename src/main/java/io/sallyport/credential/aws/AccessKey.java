package io.sallyport.credential.aws;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An access key: its id, its secret, and the token of a session where it is a temporary one. Zeroed when closed; it has no text form. */
public final class AccessKey implements AutoCloseable {

    private final String id;
    private final byte[] secret;
    private final @Nullable String sessionToken;

    /** @param secret is copied */
    public AccessKey(String id, byte[] secret, @Nullable String sessionToken) {
        this.id = id;
        this.secret = secret.clone();
        this.sessionToken = sessionToken;
    }

    public String id() {
        return id;
    }

    /** Not a copy. */
    byte[] secret() {
        return secret;
    }

    @Nullable
    String sessionToken() {
        return sessionToken;
    }

    @Override
    public void close() {
        Arrays.fill(secret, (byte) 0);
    }

    @Override
    public String toString() {
        return "AccessKey[***]";
    }
}
