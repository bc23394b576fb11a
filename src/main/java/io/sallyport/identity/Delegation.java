package io.sallyport.identity;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who acts, and for whom (RFC 8693 section 1.1).
 *
 * @param workload the acting workload: the verified actor token's, else the subject token's
 * @param person whom it acts for; null when the workload acts for itself
 */
public record Delegation(Verified workload, @Nullable Verified person) {

    public Optional<Verified> onBehalfOf() {
        return Optional.ofNullable(person);
    }
}
