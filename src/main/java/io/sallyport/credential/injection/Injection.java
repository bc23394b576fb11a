package io.sallyport.credential.injection;

import io.sallyport.credential.source.Material;
import io.sallyport.http.Target;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How one credential document says that its secret stands in a request. Immutable; holds no secret. Its text is part of the document's
 * version, and of what a written-in secret is sealed together with: changing the text of a kind makes such secrets unavailable.
 */
public interface Injection {

    /**
     * The slots (names of header fields and query parameters in lower case, {@code form:NAME}, {@code json:POINTER}, {@code path}) that it
     * fills: what the agent brings in one of them goes off, and two credentials on one request fill disjoint ones.
     */
    Set<String> slots();

    /** Why this material can't stand there, naming its part and nothing of its value; empty where it can. */
    Optional<String> problem(Material material);

    /** @param material that has no problem; the caller's to close @param needles makes a search for a text */
    Injector injector(Material material, Function<String, Needle> needles);

    /** What a destination that sees such a request may echo. */
    List<Shown> shown(Material material);

    /** Whether it signs what others put on the request. */
    default boolean signs() {
        return false;
    }

    /** Whether it can stand in a request that has no content, and whose client asks for nothing. */
    default boolean needsNoContent() {
        return true;
    }

    /** Whether it can be used over plain HTTP at all. */
    default boolean needsTls() {
        return false;
    }

    /** The target without what the agent brings in this one's place: as it is judged, recorded and shown. */
    default Target redacted(Target target) {
        return target;
    }

    /** What a client shows in the secret's place to ask for it; empty for an injection that needs no asking. */
    default Optional<String> placeholder() {
        return Optional.empty();
    }

    /**
     * A secret as it is shown to the destination.
     *
     * @param pair the text that base64 was made of, where the secret stands in one, as in {@code user:secret}; null elsewhere
     */
    record Shown(byte[] secret, byte @Nullable [] pair) {

        @Override
        public String toString() {
            return "Shown[***]";
        }
    }
}
