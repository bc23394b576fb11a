package io.sallyport.credential.aws;

import java.util.Arrays;

/**
 * The signatures of an upload's chunks, each over the one before it; the first goes on from that of the head. Not for several threads.
 * Made to sign, or to verify what another has signed; not both.
 */
public final class ChunkChain implements AutoCloseable {

    private static final char PADDING = '*';

    private final SigningKey key;
    private final String timestamp;
    private final String scope;
    private String previous;

    /** @param seed the signature of the head */
    ChunkChain(SigningKey key, CredentialScope scope, String seed) {
        this.key = key;
        this.timestamp = scope.timestamp();
        this.scope = scope.text(key.algorithm());
        this.previous = seed;
    }

    public Algorithm algorithm() {
        return key.algorithm();
    }

    /** The next chunk's signature, padded to the length that all of its kind have. */
    String sign(byte[] chunk) {
        return padded(signNext(ofChunk(chunk)));
    }

    /** That of the trailers, which come last. @param trailers {@code name:value}, a line feed after each, sorted by name */
    String signTrailers(String trailers) {
        return padded(signNext(ofTrailers(trailers)));
    }

    /** @param signature as it stands in the chunk's head */
    boolean verifies(byte[] chunk, String signature) {
        return verifiesNext(ofChunk(chunk), signature);
    }

    boolean verifiesTrailers(String trailers, String signature) {
        return verifiesNext(ofTrailers(trailers), signature);
    }

    private String signNext(String stringToSign) {
        previous = key.sign(stringToSign);
        return previous;
    }

    private boolean verifiesNext(String stringToSign, String padded) {
        String signature = bare(padded);
        if (!key.verifies(stringToSign, signature)) {
            return false;
        }
        previous = signature;
        return true;
    }

    private String ofChunk(byte[] chunk) {
        return String.join(
                "\n",
                algorithm().label() + "-PAYLOAD",
                timestamp,
                scope,
                previous,
                Sha256.OF_NOTHING,
                Sha256.hex(chunk));
    }

    private String ofTrailers(String trailers) {
        return String.join("\n", algorithm().label() + "-TRAILER", timestamp, scope, previous, Sha256.hex(trailers));
    }

    private String padded(String signature) {
        char[] all = Arrays.copyOf(signature.toCharArray(), algorithm().chunkSignatureLength());
        Arrays.fill(all, signature.length(), all.length, PADDING);
        return new String(all);
    }

    /** Padding stands at the end, and is no part of what the next signature covers. */
    private static String bare(String padded) {
        int end = padded.length();
        while (end > 0 && padded.charAt(end - 1) == PADDING) {
            end--;
        }
        return padded.substring(0, end);
    }

    @Override
    public void close() {
        key.close();
    }
}
