package io.sallyport.exchange;

import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.grant.Recognition;
import io.sallyport.identity.ClientAssertions;
import io.sallyport.identity.ClientAssertions.Outcome;
import io.sallyport.identity.Delegation;
import io.sallyport.identity.Identities;
import io.sallyport.identity.Principal;
import io.sallyport.identity.Verification;
import io.sallyport.identity.Verified;
import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** From tokens to people: who acts, for whom, and that the client is who acts. */
final class Proofs {

    private final Identities identities;

    Proofs(Identities identities) {
        this.identities = identities;
    }

    /** The client that proved itself; empty where none tried to, which is well: the tokens prove the workload. */
    Step<Optional<Verified>> client(ClientAssertions.Presented presented) {
        return switch (ClientAssertions.authenticate(presented, identities)) {
            case Outcome.Nobody() -> Step.passed(Optional.empty());
            case Outcome.Client(Verified workload) -> Step.passed(Optional.of(workload));
            case Outcome.TwoMethods() ->
                Step.refused(Refusal.invalidRequest("A client proves itself by one method at a time."));
            case Outcome.Refused(String cause, boolean basicTried) ->
                Step.refused(Refusal.invalidClient(cause, basicTried));
            case Outcome.Unavailable(String cause) -> Step.refused(Refusal.unavailable(cause));
        };
    }

    /** Subject alone: the workload acts for itself. With an actor: the actor acts, for the subject. */
    Step<Delegation> delegation(ExchangeRequest request) {
        return verify(request.subject().token())
                .then(subject -> request.actor()
                        .map(token -> verify(token).then(actor -> onBehalf(subject, actor)))
                        .orElseGet(() -> Step.passed(new Delegation(subject, null))));
    }

    private static Step<Delegation> onBehalf(Verified person, Verified actor) {
        return person.letsActFor(actor)
                ? Step.passed(new Delegation(actor, person))
                : Step.refused(Refusal.badToken("may_act of the subject token names another actor"));
    }

    /** Who acts on a part of a task: the actor token's workload, else the one that has the task. */
    Step<Delegation> delegation(ExchangeRequest request, Grant parent) {
        Verified person = parent.person() == null ? null : as(parent.person(), parent);
        return request.actor()
                .map(token -> verify(token).then(actor -> Step.passed(new Delegation(actor, person))))
                .orElseGet(() -> Step.passed(new Delegation(as(parent.workload(), parent), person)));
    }

    private static Verified as(Principal principal, Grant grant) {
        return new Verified(principal, grant.isolation(), grant.openedAt(), grant.expiresAt());
    }

    /** The grant of a task token: it stands, and it is shown from where it is bound to. */
    static Step<Grant> standing(Grants grants, String token, InetAddress source) {
        return switch (grants.recogniseHeld(token, source)) {
            case Recognition.Live(Grant grant) -> Step.passed(grant);
            case Recognition.NotLive(String cause) -> Step.refused(Refusal.badToken("task token: " + cause));
        };
    }

    /** Whatever names or proves a client must mean the workload that acts. */
    static Step<Delegation> sameClient(Delegation who, Optional<Verified> proven, @Nullable String clientId) {
        Principal acting = who.workload().principal();
        boolean same = (clientId == null || clientId.equals(acting.toString()))
                && proven.stream().allMatch(client -> client.principal().equals(acting));
        return same
                ? Step.passed(who)
                : Step.refused(Refusal.invalidClient("the client is another than the acting workload", false)
                        .by(acting));
    }

    private Step<Verified> verify(String token) {
        return switch (identities.verify(token)) {
            case Verification.Accepted(Verified verified) -> Step.passed(verified);
            case Verification.Rejected(String cause) -> Step.refused(Refusal.badToken(cause));
            case Verification.Unavailable(String cause) -> Step.refused(Refusal.unavailable(cause));
        };
    }
}
