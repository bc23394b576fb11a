package io.sallyport.proxy;

/**
 * A stretch of a request's content that is recorded, then released, as one.
 *
 * @param offset of its first byte in the content
 * @param length in bytes, 0 to 1 MiB and what one read brings above it
 * @param prefixSha256 lower-case hexadecimal SHA-256 of the content up to this window's end
 * @param last true when the content ends here: then the hash is the content's own
 */
public record Window(long offset, long length, String prefixSha256, boolean last) {

    public boolean first() {
        return offset == 0;
    }
}
