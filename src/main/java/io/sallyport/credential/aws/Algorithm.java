package io.sallyport.credential.aws;

/** AWS's two signatures: version 4 is keyed to one region, version 4a to an access key, and names the regions that may take it. */
public enum Algorithm {
    HMAC("AWS4-HMAC-SHA256", 64),
    ECDSA("AWS4-ECDSA-P256-SHA256", 144);

    private final String label;
    private final int chunkSignatureLength;

    Algorithm(String label, int chunkSignatureLength) {
        this.label = label;
        this.chunkSignatureLength = chunkSignatureLength;
    }

    /** As it stands at the head of an {@code Authorization} field. */
    public String label() {
        return label;
    }

    /** Characters that a signature takes in an upload's chunk, padding included, so that the content's length is known beforehand. */
    int chunkSignatureLength() {
        return chunkSignatureLength;
    }

    /** What stands in {@code x-amz-content-sha256} where each chunk is signed. */
    public String streaming() {
        return "STREAMING-" + label + "-PAYLOAD";
    }

    /** The same, with signed trailers after the last chunk. */
    public String streamingWithTrailer() {
        return streaming() + "-TRAILER";
    }
}
