package io.sallyport.admin;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sallyport.grant.Grant;
import io.sallyport.identity.Principal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A standing grant, for reading. The token that names it is nowhere in it. */
public record GrantView(
        String id,
        String task,
        @Nullable String parent,
        int depth,
        String policy,
        @JsonProperty("policy_digest") String policyDigest,
        List<String> scopes,
        List<String> resources,
        String workload,
        @Nullable String person,
        String isolation,
        @Nullable String address,
        BindingView binding,
        long uses,
        @JsonProperty("bytes_out") long bytesOut,
        @JsonProperty("opened_at") Instant openedAt,
        @JsonProperty("expires_at") Instant expiresAt,
        @Nullable String purpose) {

    static GrantView of(Grant grant, BindingView binding) {
        Principal person = grant.person();
        return new GrantView(
                grant.id(),
                grant.task(),
                grant.parent(),
                grant.depth(),
                grant.policy(),
                grant.policyDigest(),
                List.copyOf(grant.scopes()),
                grant.resources().stream().map(Object::toString).sorted().toList(),
                grant.workload().toString(),
                person == null ? null : person.toString(),
                grant.isolation().text(),
                grant.address(),
                binding,
                grant.uses(),
                grant.bytesOut(),
                grant.openedAt(),
                grant.expiresAt(),
                grant.purpose());
    }
}
