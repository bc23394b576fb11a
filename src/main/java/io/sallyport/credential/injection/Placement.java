package io.sallyport.credential.injection;

import io.sallyport.credential.ContentRewriter;
import io.sallyport.credential.ContentUse;
import io.sallyport.credential.Injected;
import io.sallyport.credential.Lease;
import io.sallyport.credential.PlaceholderWatch;
import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import java.util.List;
import java.util.Optional;

/**
 * One credential on its way onto one request: what {@link Lease} says, without the lease. Not thread-safe; its methods are called in the
 * order that is given there.
 */
public interface Placement {

    Injected head(RequestHead asked, RequestHead outgoing);

    default ContentUse content() {
        return ContentUse.NONE;
    }

    default Injected whole(RequestHead outgoing, byte[] content) {
        throw new IllegalStateException("this injection has nothing to do with content");
    }

    default ContentRewriter rewriter() {
        throw new IllegalStateException("this injection has nothing to do with content");
    }

    default RequestHead stamp(RequestHead outgoing) {
        return outgoing;
    }

    default void answered(ResponseHead head) {}

    default boolean placed() {
        return true;
    }

    default List<byte[]> scrubbed() {
        return List.of();
    }

    default List<String> removed() {
        return List.of();
    }

    default Optional<PlaceholderWatch> watch() {
        return Optional.empty();
    }

    default boolean misplaced(String text) {
        return false;
    }
}
