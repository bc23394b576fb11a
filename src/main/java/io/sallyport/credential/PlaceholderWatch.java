package io.sallyport.credential;

import java.nio.ByteBuffer;

/** Looks for a placeholder in one content as it comes, whichever way it is cut. Not thread-safe. */
public interface PlaceholderWatch {

    /** @param piece the next one; left as it is @return whether it stands in what has come, ended by this piece */
    boolean sees(ByteBuffer piece);
}
