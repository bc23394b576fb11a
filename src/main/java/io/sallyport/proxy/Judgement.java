package io.sallyport.proxy;

import io.sallyport.credential.Credential;
import io.sallyport.policy.Policy;
import io.sallyport.policy.Scope;
import java.util.List;

/** What the third step says. */
sealed interface Judgement {

    /** @param policy in its current version: its day limits count @param credentials that the scope puts on, in order */
    record Allowed(Policy policy, Scope scope, List<Credential> credentials) implements Judgement {}

    record Denied(Refusal refusal) implements Judgement {}
}
