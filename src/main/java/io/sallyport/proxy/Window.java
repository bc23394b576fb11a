package io.sallyport.proxy;

import io.sallyport.http.Fields;

/**
 * A stretch of a request's content that is recorded, then released, as one.
 *
 * @param offset of its first byte in the content
 * @param length in bytes, 0 to 1 MiB and what one read brings above it
 * @param prefixSha256 lower-case hexadecimal SHA-256 of the content up to this window's end
 * @param last true when the content ends here: then the hash is the content's own
 * @param trailers that follow the content's end; empty where it does not end here
 */
public record Window(long offset, long length, String prefixSha256, boolean last, Fields trailers) {

    /** Content of at most this many bytes is kept until the use is over, in case it has to be sent again. */
    private static final int KEPT = 64 * 1024;

    public Window {
        if (!last && trailers.size() > 0) {
            throw new IllegalArgumentException("trailers come after the content's end");
        }
    }

    public Window(long offset, long length, String prefixSha256, boolean last) {
        this(offset, length, prefixSha256, last, Fields.EMPTY);
    }

    public Window with(Fields followed) {
        return new Window(offset, length, prefixSha256, last, followed);
    }

    public boolean first() {
        return offset == 0;
    }

    /** Whether it is all of a request's content, and little enough to be sent a second time. */
    public boolean kept() {
        return first() && last && length <= KEPT;
    }
}
