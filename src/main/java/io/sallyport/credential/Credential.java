package io.sallyport.credential;

import io.sallyport.document.Keys;
import io.sallyport.http.Destination;
import io.sallyport.http.Origin;
import io.sallyport.http.Target;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A secret's public face: where it comes from, where it may go, and which slot it fills. Holds no secret. */
public interface Credential {

    String name();

    List<Destination> destinations();

    BlastRadius blastRadius();

    /**
     * The slots that it fills: names of header fields and query parameters in lower case, or a place with a colon in its name, as in
     * {@code form:token}. Two credentials on one request fill disjoint ones.
     */
    Set<String> slots();

    /** What a client shows in the slot to ask for the credential; empty for one that is put on every request. */
    default Optional<String> placeholder() {
        return Optional.empty();
    }

    /** The target without what the agent brings in this credential's place in it: as it is recorded. */
    default Target redacted(Target target) {
        return target;
    }

    /** {@code source.kind} of its document, as in {@code file}. */
    String sourceKind();

    /** Changes with every change of the document: part of the key of pooled connections. */
    String version();

    /** Files beside its document that say whom to trust where its secret comes from. */
    default List<Path> trusts() {
        return List.of();
    }

    /**
     * The same credential, had from its source for less: what a scope's {@code narrow} says. Its version is another one, so nothing that
     * is kept by version is shared between the two.
     *
     * @return empty where a problem has been noted on the keys, as for a kind of source that takes no narrowing
     */
    Optional<Credential> narrowed(Keys keys);

    default boolean mayGoTo(Origin origin) {
        for (Destination destination : destinations()) {
            if (destination.matches(origin)) {
                return true;
            }
        }
        return false;
    }
}
