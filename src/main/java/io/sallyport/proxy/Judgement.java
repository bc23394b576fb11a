package io.sallyport.proxy;

import io.sallyport.credential.Credential;
import io.sallyport.policy.Policy;
import io.sallyport.policy.Scope;
import io.sallyport.rules.PrivateRoots;
import java.util.List;
import java.util.Optional;

/** What the third step says. */
sealed interface Judgement {

    /**
     * @param policy in its current version: its day limits count
     * @param credentials that the scope puts on, in order
     * @param roots the only ones that the destination's certificate may come from; empty for the usual ones
     */
    record Allowed(Policy policy, Scope scope, List<Credential> credentials, Optional<PrivateRoots> roots)
            implements Judgement {}

    record Denied(Refusal refusal) implements Judgement {}
}
