package io.sallyport.credential.source;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a source answers when it does. */
public sealed interface Fetched {

    /** How long it is good for, as the source says, or is to be believed where the source says nothing. Counted from its asking. */
    Duration lives();

    /**
     * A secret.
     *
     * @param stamp changes when the secret does: given with the next {@link Fetch}. Has equals; holds nothing of the secret
     * @param revoker gives it back at the source; null where there is nothing to give back
     */
    record Given(
            Material material,
            Object stamp,
            Duration lives,
            @Nullable Revoker revoker) implements Fetched {

        public Given {
            positive(lives);
        }
    }

    /** What the stamp stands for is still the secret; it may have been renewed for as long. Only where a stamp was known. */
    record Unchanged(Duration lives) implements Fetched {

        public Unchanged {
            positive(lives);
        }
    }

    /** A secret that must not be used, and why: to be given back. */
    record Unfit(Given given, SourceFault fault) implements Fetched {

        @Override
        public Duration lives() {
            return given.lives();
        }
    }

    static Fetched given(Material material, Object stamp, Duration lives) {
        return new Given(material, stamp, lives, null);
    }

    private static void positive(Duration lives) {
        if (!lives.isPositive()) {
            throw new IllegalArgumentException("a secret lives for some time, and not " + lives);
        }
    }
}
