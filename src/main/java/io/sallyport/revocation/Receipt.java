package io.sallyport.revocation;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * What an order did.
 *
 * @param id of the revocation
 * @param grants those that it ended, descendants included
 * @param flowsCut how many running requests it cut
 * @param durable whether it is on disk; while it is not, the record is retried and the cut holds as long as the process lives
 * @param nodes where it took effect
 */
public record Receipt(
        String id,
        List<String> grants,
        @JsonProperty("flows_cut") int flowsCut,
        boolean durable,
        List<String> nodes) {

    public Receipt {
        grants = List.copyOf(grants);
        nodes = List.copyOf(nodes);
    }
}
