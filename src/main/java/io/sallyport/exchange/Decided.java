package io.sallyport.exchange;

import io.sallyport.grant.Grant;
import io.sallyport.policy.Policy;

/**
 * A yes, not yet done.
 *
 * @param policy under which it is; its text is kept with the grant
 */
record Decided(Grant grant, Policy policy) {}
