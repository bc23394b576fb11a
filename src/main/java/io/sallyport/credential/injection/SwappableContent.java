package io.sallyport.credential.injection;

import io.sallyport.credential.source.Material;
import io.sallyport.http.RequestHead;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** An injection of one part of a secret into the content, in whose place a client may show a placeholder. */
interface SwappableContent extends Injection {

    /** Of the material, which goes into the content. */
    String part();

    /** The one slot that it fills. */
    String slot();

    /** As it stands in the content. The caller zeroes it. */
    byte[] encoded(byte[] secret);

    /** For the complaint about another. */
    String type();

    /** @param value encoded */
    Inserted insert(byte[] content, byte[] value);

    sealed interface Inserted {

        /** @param brought whether the agent had filled the place */
        record Into(byte[] content, boolean brought) implements Inserted {}

        /** @param reason of a refusal */
        record Nowhere(String reason) implements Inserted {}
    }

    @Override
    default boolean needsNoContent() {
        return false;
    }

    @Override
    default Set<String> slots() {
        return Set.of(slot());
    }

    @Override
    default Optional<String> problem(Material material) {
        return SecretFitness.problem(material, part());
    }

    @Override
    default List<Shown> shown(Material material) {
        return InjectionForms.shown(material, List.of(part()));
    }

    @Override
    default Injector injector(Material material, Function<String, Needle> needles) {
        return new ContentInjector(
                this, encoded(material.part(part()).orElseThrow().bytes()));
    }

    /** What the place is, in a content that could be read. */
    sealed interface Found {

        /**
         * @param values that stand there, without their encoding; mostly one or none
         * @param rest the content without the place: nowhere in it may the placeholder stand
         */
        record Place(List<String> values, byte[] rest) implements Found {}

        /** @param reason of a refusal */
        record Unreadable(String reason) implements Found {}
    }

    /** Whether the head says that the content is of the type that has such places. */
    boolean typed(RequestHead asked);

    Found find(byte[] content);

    /** As a sentence about it begins, as in {@code the form's field token}. */
    String place();
}
