package io.sallyport.exchange;

import io.sallyport.grant.Grant;
import io.sallyport.grant.TaskListener;
import io.sallyport.policy.Policy;
import org.jspecify.annotations.Nullable;

/**
 * A yes, not yet done.
 *
 * @param policy under which it is; its text is kept with the grant
 * @param wanted the listener that goes with it; null where the grant is used by its token
 */
record Decided(Grant grant, Policy policy, TaskListener.@Nullable Wanted wanted) {}
