package io.sallyport.proxy;

import io.sallyport.credential.ClientCertificate;
import io.sallyport.credential.Credential;
import io.sallyport.credential.Lease;
import io.sallyport.credential.Leases;
import io.sallyport.credential.TokenMarks;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.http.CredentialSlots;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.RequestHead;
import io.sallyport.http.Target;
import io.sallyport.http.WebSocketHandshake;
import io.sallyport.policy.CredentialUse;
import io.sallyport.policy.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives a flow what it leaves with: the leases of its scope, and the head with their secrets in it. */
final class Equipping {

    private static final Logger LOG = LoggerFactory.getLogger(Equipping.class);

    private final Grants grants;
    private final Leases leases;
    private final TokenMarks marks;
    private final Injections injections;

    Equipping(Grants grants, Leases leases, TokenMarks marks, Injections injections) {
        this.grants = grants;
        this.leases = leases;
        this.marks = marks;
        this.injections = injections;
    }

    /**
     * Never fails: what goes wrong is a refusal, and no lease stays behind. The flow is the caller's to leave.
     *
     * @param head as the agent sent it
     */
    CompletionStage<Passage> equip(Judgement.Allowed allowed, LiveFlow flow, RequestHead head) {
        try {
            CompletableFuture<List<Leases.Leasing>> leasing =
                    lease(allowed, flow.grant(), head).toCompletableFuture();
            if (leasing.isDone() && !leasing.isCompletedExceptionally()) {
                return CompletableFuture.completedFuture(inject(allowed, flow, head, leasing.join()));
            }
            return leasing.thenApply(leased -> inject(allowed, flow, head, leased))
                    .exceptionally(fault -> failed(allowed, flow, fault));
        } catch (RuntimeException fault) {
            return CompletableFuture.completedFuture(failed(allowed, flow, fault));
        }
    }

    private Passage failed(Judgement.Allowed allowed, LiveFlow flow, Throwable fault) {
        if (grants.stands(flow.grant())) {
            LOG.error("a request could not be given its credential", fault);
        }
        return unserved(allowed, flow, "the lease failed");
    }

    /** A grant that has ended in between has lost its leases: that is no fault of ours. */
    private Passage unserved(Judgement.Allowed allowed, LiveFlow flow, String cause) {
        return new Passage.Refused(grants.stands(flow.grant()) ? unavailable(allowed.scope(), cause) : Gate.ended());
    }

    /** Warm secrets are there at once, and so is the answer. */
    private CompletionStage<List<Leases.Leasing>> lease(Judgement.Allowed allowed, Grant grant, RequestHead head) {
        List<Credential> credentials = allowed.plan().credentials();
        if (credentials.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        CompletionStage<Leases.Leasing> first = leases.lease(credentials.getFirst(), head.origin(), grant);
        if (credentials.size() == 1) {
            return first.thenApply(List::of);
        }
        CompletionStage<List<Leases.Leasing>> all = first.thenApply(one -> new ArrayList<>(List.of(one)));
        for (Credential credential : credentials.subList(1, credentials.size())) {
            all = all.thenCombine(leases.lease(credential, head.origin(), grant), (list, one) -> {
                list.add(one);
                return list;
            });
        }
        return all;
    }

    private Passage inject(Judgement.Allowed allowed, LiveFlow flow, RequestHead head, List<Leases.Leasing> leasings) {
        List<Lease> held = new ArrayList<>(leasings.size());
        String missing = null;
        for (Leases.Leasing leasing : leasings) {
            switch (leasing) {
                case Leases.Leasing.Leased(Lease lease) -> held.add(lease);
                case Leases.Leasing.Unavailable(String cause) -> missing = cause;
            }
        }
        if (missing != null) {
            held.forEach(Lease::close);
            return unserved(allowed, flow, missing);
        }
        try {
            return admitted(allowed, flow, head, held);
        } catch (RuntimeException fault) {
            held.forEach(Lease::close);
            throw fault;
        }
    }

    private Passage admitted(Judgement.Allowed allowed, LiveFlow flow, RequestHead head, List<Lease> held) {
        CredentialSlots.Cleaned cleaned = clean(allowed, head);
        WebSocketHandshake handshake =
                WebSocketHandshake.asked(head) ? WebSocketHandshake.of(head).orElseThrow() : null;
        Fields forwarded = Forwarding.request(cleaned.fields(), !held.isEmpty());
        RequestHead clean = head.withTarget(cleaned.target())
                .withFields(handshake == null ? forwarded : WebSocketHandshake.request(forwarded));
        if (tokenIn(clean)) {
            return refused(held, ContentRefusals.tokenInRequest(allowed.scope()));
        }
        return switch (injections.head(held, head, clean)) {
            case Injections.Outcome.Refused(Refusal refusal) ->
                refused(held, refusal.inScope(allowed.scope().name()));
            case Injections.Outcome.Done(RequestHead outgoing, var ignored) ->
                new Passage.Admitted(new Admission(
                        flow,
                        allowed.scope(),
                        allowed.policy().task(),
                        injections.withoutExpect(held, clean),
                        injections.withoutExpect(held, outgoing),
                        injections.wholeLimit(held),
                        held,
                        cleaned.removed(),
                        versions(allowed, flow.grant(), held),
                        route(allowed, held),
                        new LateScrubber(() -> marks.over(leases.scrubber(held))),
                        FreshCredentials.askedForBy(clean, !held.isEmpty()),
                        handshake));
        };
    }

    private static Passage refused(List<Lease> held, Refusal refusal) {
        held.forEach(Lease::close);
        return new Passage.Refused(refusal);
    }

    /** What was taken off does not leave: the token in the hop's own field, or in the place of a key, is where it belongs. */
    private boolean tokenIn(RequestHead clean) {
        if (marks.in(clean.target().text())) {
            return true;
        }
        for (Field line : clean.fields()) {
            if (marks.in(line)) {
                return true;
            }
        }
        return false;
    }

    private static CredentialSlots.Cleaned clean(Judgement.Allowed allowed, RequestHead head) {
        Target target = head.target();
        for (Credential credential : allowed.plan().credentials()) {
            target = credential.redacted(target);
        }
        // The hop's own field is no credential that the agent brought for the destination: gone, and not worth a note.
        Fields fields = head.fields().without("proxy-authorization");
        return CredentialSlots.takeOff(
                target, fields, allowed.plan().keep(), allowed.plan().filled());
    }

    /** What a pooled connection is bound to. One on which an agent showed a credential of its own serves that agent's task alone. */
    private static String versions(Judgement.Allowed allowed, Grant grant, List<Lease> held) {
        if (allowed.scope().credential() instanceof CredentialUse.Own) {
            return "own:" + grant.task();
        }
        return switch (held.size()) {
            case 0 -> "";
            case 1 -> held.getFirst().version();
            default -> held.stream().map(Lease::version).collect(Collectors.joining(","));
        };
    }

    private static Route route(Judgement.Allowed allowed, List<Lease> held) {
        ClientCertificate certificate = null;
        for (Lease lease : held) {
            // Documents give a scope one at most.
            if (certificate == null) {
                certificate = lease.certificate().orElse(null);
            }
        }
        return new Route(allowed.plan().permitted(), allowed.plan().roots().orElse(null), certificate);
    }

    private static Refusal unavailable(Scope scope, String cause) {
        return Refusal.of(RefusalError.UNAVAILABLE, "the broker can't serve this just now")
                .inScope(scope.name())
                .because(cause);
    }
}
