package io.sallyport.credential;

import java.nio.ByteBuffer;

/** Masks secrets in one answer, in every form in which an upstream may echo them. Not thread-safe: one per answer. */
public interface Scrubber {

    /** A field value, reason phrase or other whole text. */
    String text(String value);

    /** How many times something was masked so far; what overlaps is masked once. */
    int masks();

    /** Whether anything was masked so far. */
    default boolean masked() {
        return masks() > 0;
    }

    /**
     * The next piece of content. A tail is held back until more bytes come, however long they take: a pause must not be a way to read a
     * secret in two halves. How long the tail is depends on which bytes are printable ASCII and which begin an escape, and on the length
     * of the secret; never on whether they look like it, or whoever sees what is held back could guess the secret byte by byte.
     *
     * @param content consumed to its limit, and left as it is
     * @param last true when no more follows: nothing stays held back
     * @return what may be passed on, perhaps empty, as many bytes in all as came in; valid until the next call, and as long as {@code content} is
     */
    ByteBuffer push(ByteBuffer content, boolean last);
}
