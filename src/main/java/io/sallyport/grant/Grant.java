package io.sallyport.grant;

import io.sallyport.http.Origin;
import io.sallyport.identity.Isolation;
import io.sallyport.identity.Principal;
import io.sallyport.policy.Binding;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What was given: one task (or a narrower part of one), under one policy, to one workload, until one time.
 *
 * @param id of this grant, random, unguessable
 * @param jti of the one token that names it
 * @param task the task that it belongs to; children of a grant share it
 * @param parent the grant that it was exchanged from; null for a task's first
 * @param depth 0 for a task's first, one more for each exchange
 * @param policyDigest of the policy as it stood when the grant was opened
 * @param scopes the granted ones, without the policy's name
 * @param resources origins that narrow the scopes; empty for no narrowing
 * @param address the only source that its token may be shown from, in CIDR notation; null for any
 * @param uses and
 * @param bytesOut the limits of this grant
 * @param openedAt and
 * @param expiresAt in whole milliseconds: what is finer is cut off
 * @param binding what it takes to use it: the token, or its own listener
 */
public record Grant(
        String id,
        String jti,
        String task,
        @Nullable String parent,
        int depth,
        String policy,
        String policyDigest,
        SortedSet<String> scopes,
        Set<Origin> resources,
        Principal workload,
        @Nullable Principal person,
        Isolation isolation,
        @Nullable String address,
        long uses,
        long bytesOut,
        Instant openedAt,
        Instant expiresAt,
        @Nullable String purpose,
        Binding binding) {

    public Grant {
        if (depth < 0 || (parent == null) != (depth == 0)) {
            throw new IllegalArgumentException(
                    "a grant has a parent exactly when its depth is 1 or more: depth " + depth);
        }
        if (uses < 0 || bytesOut < 0) {
            throw new IllegalArgumentException("limits are never negative: " + uses + " uses, " + bytesOut + " bytes");
        }
        scopes = Collections.unmodifiableSortedSet(new TreeSet<>(scopes));
        resources = Set.copyOf(resources);
        openedAt = openedAt.truncatedTo(ChronoUnit.MILLIS);
        expiresAt = expiresAt.truncatedTo(ChronoUnit.MILLIS);
    }
}
