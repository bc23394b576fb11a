package io.sallyport.credential;

import java.nio.ByteBuffer;

/** Masks secrets in one answer, in every form in which an upstream may echo them. Not thread-safe: one per answer. */
public interface Scrubber {

    /** A field value, reason phrase or other whole text. */
    String text(String value);

    /** Whether anything was masked so far. */
    boolean masked();

    /**
     * The next piece of content. What could be the start of a secret is held back until more bytes tell, however long they take: a
     * pause must not be a way to read a secret in two halves.
     *
     * @param content consumed to its limit, and left as it is
     * @param last true when no more follows: nothing stays held back
     * @return what may be passed on, perhaps empty, as many bytes in all as came in; valid until the next call, and as long as {@code content} is
     */
    ByteBuffer push(ByteBuffer content, boolean last);
}
