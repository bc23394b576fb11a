package io.sallyport.proxy;

import io.sallyport.credential.Credential;
import io.sallyport.grant.Grant;
import io.sallyport.http.ContentSlots;
import io.sallyport.http.CredentialActions;
import io.sallyport.http.Framing;
import io.sallyport.http.Overrides;
import io.sallyport.http.RequestHead;
import io.sallyport.http.SignedUrls;
import io.sallyport.http.WebSocketHandshake;
import io.sallyport.policy.Policy;
import io.sallyport.policy.Scope;
import io.sallyport.policy.Upgrade;
import io.sallyport.policy.Verdict;
import io.sallyport.rules.RuleBook;
import io.sallyport.rules.RuleBooks;
import io.sallyport.rules.ScopePlan;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The third step: may this grant make this request now? What was granted, cut with the book in force. */
final class Judge {

    private final RuleBooks books;

    Judge(RuleBooks books) {
        this.books = books;
    }

    /** All that can be known at CONNECT: whether some granted scope names the host. Nothing is resolved or minted before. */
    Optional<Refusal> tunnel(Grant grant, String host, int port) {
        Optional<Policy> current = books.current().policy(grant.policy());
        Optional<Policy> granted = asGranted(grant, current);
        if (current.isEmpty() || granted.isEmpty()) {
            return Optional.of(gone());
        }
        boolean named = current.get().namesHost(host, port, grant.scopes())
                && granted.get().namesHost(host, port, grant.scopes())
                && withinResources(grant, host, port);
        return named
                ? Optional.empty()
                : Optional.of(Refusal.of(
                        RefusalError.DESTINATION_NOT_ALLOWED,
                        "no granted scope has the destination " + host + ":" + port));
    }

    /** @param book the one to judge by: in force, or about to be */
    Judgement judge(RuleBook book, Grant grant, RequestHead head) {
        Optional<Policy> current = book.policy(grant.policy());
        Optional<Policy> granted = asGranted(grant, current);
        if (current.isEmpty() || granted.isEmpty()) {
            return new Judgement.Denied(gone());
        }
        return switch (select(current.get(), grant, head)) {
            case Verdict.Refused refused -> new Judgement.Denied(Refusal.of(refused));
            case Verdict.Selected(Scope scope) -> within(book, current.get(), granted.get(), scope, grant, head);
        };
    }

    private static Judgement within(
            RuleBook book, Policy current, Policy granted, Scope scope, Grant grant, RequestHead head) {
        // A widening since the exchange must not reach a live grant: the version it was opened under has to agree.
        if (granted != current
                && !(select(granted, grant, head) instanceof Verdict.Selected(Scope then)
                        && then.name().equals(scope.name())
                        && then.upgrades().containsAll(upgrades(head))
                        && scope.narrow().entrySet().containsAll(then.narrow().entrySet()))) {
            return denied(RefusalError.SCOPE_NOT_GRANTED, "the policy did not allow this when the task began", scope);
        }
        // Passed on without Upgrade it would be an ordinary request, and its answer no handshake: a client would be
        // left to guess why.
        if (!scope.upgrades().containsAll(upgrades(head))) {
            return denied(RefusalError.UPGRADE_NOT_ALLOWED, "the scope does not allow WebSockets", scope);
        }
        if (!grant.resources().isEmpty() && !grant.resources().contains(head.origin())) {
            return denied(RefusalError.RESOURCE_NOT_GRANTED, "the grant was narrowed to other resources", scope);
        }
        Optional<String> override = Overrides.in(head.fields(), head.target());
        if (override.isPresent()) {
            return denied(RefusalError.METHOD_OVERRIDE, override.get(), scope);
        }
        ScopePlan plan = book.plan(scope);
        if (!plan.credentials().isEmpty() && besideOurs(scope, plan, head) instanceof Judgement denied) {
            return denied;
        }
        for (Credential credential : plan.credentials()) {
            if (!book.mayReach(grant.isolation(), credential)) {
                return denied(
                        RefusalError.ISOLATION,
                        "a workload in isolation " + grant.isolation().text()
                                + " may not reach a credential of blast radius "
                                + credential.blastRadius().name().toLowerCase(java.util.Locale.ROOT),
                        scope);
            }
        }
        return new Judgement.Allowed(current, scope, plan);
    }

    /** What a request must not be beside a credential of ours; null where it is none of it. */
    private static @Nullable Judgement besideOurs(Scope scope, ScopePlan plan, RequestHead head) {
        Optional<String> action = CredentialActions.in(head.fields());
        if (action.isPresent()) {
            return denied(
                    RefusalError.HANDS_OUT_CREDENTIALS,
                    "the answer would be a fresh credential (" + CredentialActions.FIELD + ": …" + action.get() + ")",
                    scope);
        }
        Optional<String> unreadable = ContentSlots.unreadable(head.fields());
        if (unreadable.isPresent() && !(head.framing() instanceof Framing.None)) {
            return denied(RefusalError.OWN_CREDENTIAL, unreadable.get(), scope);
        }
        Set<String> except = new HashSet<>(plan.keep());
        except.addAll(plan.filled());
        return SignedUrls.signatureIn(head.target(), except)
                .map(signature -> denied(
                        RefusalError.SIGNED_URL,
                        "the query is signed (" + signature
                                + "), and the scope puts a credential of its own on the request",
                        scope))
                .orElse(null);
    }

    private static Set<Upgrade> upgrades(RequestHead head) {
        return WebSocketHandshake.asked(head) ? Set.of(Upgrade.WEBSOCKET) : Set.of();
    }

    /**
     * From memory, since this runs on event loops. A grant is opened under a book in force, and what those of before the start were opened
     * under is had at the start: see {@link BookChanges#recall}.
     */
    private Optional<Policy> asGranted(Grant grant, Optional<Policy> current) {
        return current.isPresent() && current.get().digest().equals(grant.policyDigest())
                ? current
                : books.versionInMemory(grant.policyDigest());
    }

    private static Verdict select(Policy policy, Grant grant, RequestHead head) {
        return policy.select(head.method(), head.origin(), head.target(), grant.scopes());
    }

    private static boolean withinResources(Grant grant, String host, int port) {
        return grant.resources().isEmpty()
                || grant.resources().stream().anyMatch(origin -> origin.host().equals(host) && origin.port() == port);
    }

    private static Refusal gone() {
        return Refusal.of(RefusalError.GRANT_ENDED, "the policy of this grant is gone")
                .closing();
    }

    private static Judgement denied(RefusalError error, String reason, Scope scope) {
        return new Judgement.Denied(Refusal.of(error, reason).inScope(scope.name()));
    }
}
