package io.sallyport.proxy;

import io.sallyport.policy.Policy;
import io.sallyport.policy.Scope;
import io.sallyport.rules.ScopePlan;

/** What the third step says. */
sealed interface Judgement {

    /** @param policy in its current version: its day limits count */
    record Allowed(Policy policy, Scope scope, ScopePlan plan) implements Judgement {}

    record Denied(Refusal refusal) implements Judgement {}
}
