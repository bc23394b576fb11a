package io.sallyport.revocation;

import io.sallyport.grant.Grant;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An order that memory has carried out: what remains is to write it down.
 *
 * @param grants those that it ended
 * @param lock the new lock that came with it; null where none was needed or the same stands already
 */
record Order(
        String id,
        Instant at,
        String by,
        Selector selector,
        String reason,
        List<Grant> grants,
        int flowsCut,
        @Nullable Lock lock) {

    Receipt receipt(boolean durable, String node) {
        return new Receipt(id, grantIds(), flowsCut, durable, List.of(node));
    }

    List<String> grantIds() {
        return grants.stream().map(Grant::id).toList();
    }
}
