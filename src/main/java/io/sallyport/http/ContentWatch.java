package io.sallyport.http;

import java.nio.ByteBuffer;
import java.util.Optional;

/** Looks at one content as it comes, whatever pieces it comes in. Holds no more of it than a name. Not thread-safe. */
public interface ContentWatch {

    /** What was found. */
    sealed interface Found {

        /** A credential of the agent's own. @param slot as the list writes it */
        record Slot(String slot) implements Found {}

        /** An action that hands out credentials. @param name as the list writes it */
        record Action(String name) implements Found {}
    }

    /** @param piece the next one; left as it is */
    Optional<Found> sees(ByteBuffer piece);

    /** No more comes. */
    Optional<Found> ended();
}
