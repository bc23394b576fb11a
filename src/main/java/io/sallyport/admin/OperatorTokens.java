package io.sallyport.admin;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one token that opens the operator door. It is written to a file for its owner to read; the broker itself keeps only its SHA-256, which
 * is enough here: with 256 random bits there is nothing to guess, so a slow hash would only slow the operator down.
 */
public final class OperatorTokens {

    private static final Logger LOG = LoggerFactory.getLogger(OperatorTokens.class);
    private static final byte[] NONE = {};
    private static final int BYTES = 32;
    private static final int LONGEST = 256;

    private final OperatorTokenHash stored;
    private final OperatorTokenFile file;
    private final SecureRandom random = new SecureRandom();
    private volatile byte[] current;

    private OperatorTokens(OperatorTokenHash stored, OperatorTokenFile file, byte[] current) {
        this.stored = stored;
        this.file = file;
        this.current = current;
    }

    /** Opens what is there, or makes the first token and names its place in the log, once. */
    static OperatorTokens open(OperatorTokenHash stored, OperatorTokenFile file) {
        byte[] known = stored.read().orElse(NONE);
        OperatorTokens tokens = new OperatorTokens(stored, file, known);
        if (known.length == 0) {
            tokens.replace("the broker's first start");
            LOG.info("the operator token is in {}", file.place());
        } else {
            file.settle(token -> MessageDigest.isEqual(sha256(token), known));
        }
        return tokens;
    }

    /** Compares in constant time. @param presented as it came; null for none */
    public boolean accepts(@Nullable String presented) {
        return presented != null
                && !presented.isEmpty()
                && presented.length() <= LONGEST
                && MessageDigest.isEqual(sha256(presented), current);
    }

    /** Names the present token without telling it: a session that was opened with another one is over. */
    public String generation() {
        return HexFormat.of().formatHex(current, 0, 8);
    }

    /**
     * Replaces the token. The old one ends when the new hash is on disk; sessions that it opened end with it.
     *
     * @param by who asked, for the ledger
     * @return the file that holds the new one
     * @throws io.sallyport.store.StoreFault when the store can't record it: the old one stays
     */
    public synchronized Path rotate(String by) {
        replace(by);
        return file.place();
    }

    /** The new token waits in a file beside, until its hash is durable: a crash in between leaves one of the two usable, never neither. */
    private void replace(String by) {
        byte[] secret = new byte[BYTES];
        random.nextBytes(secret);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
        byte[] hash = sha256(token);
        file.prepare(token);
        stored.replace(hash, by);
        current = hash;
        file.settle(waiting -> true);
    }

    static byte[] sha256(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
