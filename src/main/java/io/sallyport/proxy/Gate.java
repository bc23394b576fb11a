package io.sallyport.proxy;

import io.sallyport.credential.ClientCertificate;
import io.sallyport.credential.Credential;
import io.sallyport.credential.Injected.Misfit;
import io.sallyport.credential.Lease;
import io.sallyport.credential.Leases;
import io.sallyport.credential.TokenMarks;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.grant.Recognition;
import io.sallyport.http.ContentSlots;
import io.sallyport.http.ContentWatch;
import io.sallyport.http.CredentialSlots;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Parsed;
import io.sallyport.http.RequestHead;
import io.sallyport.http.Target;
import io.sallyport.http.WebSocketHandshake;
import io.sallyport.policy.CredentialUse;
import io.sallyport.policy.Scope;
import io.sallyport.rules.RuleBook;
import io.sallyport.rules.RuleBooks;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Steps two to five of a request, in a straight line: recognise the grant, decide, lease, inject. It answers at once, on the caller's
 * thread, whenever all that it needs is in memory; only a cold lease makes it wait.
 */
public final class Gate {

    private static final Logger LOG = LoggerFactory.getLogger(Gate.class);

    private final Grants grants;
    private final RuleBooks books;
    private final Judge judge;
    private final Leases leases;
    private final TokenMarks marks;
    private final LiveFlows flows;
    private final Allowance<InetAddress> strangers;
    private final HopHealth health;
    private final Injections injections;

    Gate(
            Grants grants,
            RuleBooks books,
            Leases leases,
            TokenMarks marks,
            LiveFlows flows,
            Allowance<InetAddress> strangers,
            HopHealth health,
            Injections injections) {
        this.grants = grants;
        this.books = books;
        this.judge = new Judge(books);
        this.leases = leases;
        this.marks = marks;
        this.flows = flows;
        this.strangers = strangers;
        this.health = health;
        this.injections = injections;
    }

    /** @param token as presented; null for none @param challenge what a stranger is told: 407 at the hop, 401 at the gateway */
    public Recognised recognise(@Nullable String token, InetAddress source, RefusalError challenge) {
        String cause;
        if (token == null) {
            cause = "no task token was presented";
        } else {
            switch (grants.recognise(token, source)) {
                case Recognition.Live(Grant grant) -> {
                    return new Recognised.Live(grant);
                }
                // The cause is not for whoever asks: a stranger learns nothing about grants.
                case Recognition.NotLive ignored -> cause = "the task token names no live grant for this address";
            }
        }
        health.refusedBeforeGrant();
        if (!strangers.take(source)) {
            return new Recognised.Stranger(
                    Refusal.of(RefusalError.TOO_MANY_FAILURES, "too many requests without a grant")
                            .after(Duration.ofSeconds(1))
                            .closing());
        }
        return new Recognised.Stranger(Refusal.of(challenge, cause));
    }

    /**
     * Whose head this is that could not be read: for its entry, and for nothing else. The task token in it, or one of two, where it is
     * live for this source.
     */
    public Optional<Grant> sender(String unreadable, InetAddress source) {
        for (String token : PresentedToken.anywhere(unreadable)) {
            if (grants.recognise(token, source) instanceof Recognition.Live(Grant grant)) {
                return Optional.of(grant);
            }
        }
        return Optional.empty();
    }

    /**
     * The grant of whoever shows none, by its source address: where exactly one that is used by its token is bound to it. Of several it
     * could be any, so it is none.
     */
    public Optional<Grant> ofSource(InetAddress source) {
        List<Grant> bound = grants.boundTo(source);
        if (bound.size() == 1) {
            return Optional.of(bound.getFirst());
        }
        health.refusedBeforeGrant();
        health.ledAway(bound.isEmpty() ? LedAway.NO_GRANT : LedAway.SEVERAL_GRANTS);
        if (strangers.take(source)) {
            LOG.info(
                    "a connection from {} was led here and closed: {} live grants are bound to that address",
                    source,
                    bound.size());
        }
        return Optional.empty();
    }

    /** Whether a tunnel to this host may be answered: nothing has been resolved or minted yet. */
    public Optional<Refusal> tunnel(Grant grant, String host, int port) {
        return grants.stands(grant) ? judge.tunnel(grant, host, port) : Optional.of(ended());
    }

    /** Whether a tunnel that may be answered is passed through unread, by the policy in force. */
    public boolean passesThrough(Grant grant, String host, int port) {
        return books.current()
                .policy(grant.policy())
                .map(policy -> policy.passesThrough(host, port))
                .orElse(false);
    }

    /**
     * One request of a recognised grant, in a tunnel or not: the look is at each of them.
     *
     * @param named {@code POLICY:SCOPE} as a gateway path names it; null elsewhere
     * @param onCut called at most once, on any thread, when the flow must end
     */
    public CompletionStage<Passage> admit(
            Grant grant, RequestHead head, @Nullable String named, Consumer<String> onCut) {
        if (!grants.stands(grant)) {
            return refuse(ended());
        }
        RuleBook book = books.current();
        return switch (judge.judge(book, grant, head)) {
            case Judgement.Denied(Refusal refusal) -> refuse(refusal.judged(head, marks));
            case Judgement.Allowed allowed -> {
                Optional<Refusal> unfit = unfit(grant, allowed.scope(), head, named);
                yield unfit.isPresent() ? refuse(unfit.get()) : enter(book, allowed, grant, head, named, onCut);
            }
        };
    }

    /** Whether requests of this grant have any prospect; each is still looked at. */
    public boolean stands(Grant grant) {
        return grants.stands(grant);
    }

    /**
     * A connection that is this grant's alone ends with it, though nothing runs on it. Whoever holds one looks at the grant afterwards: it
     * may have ended in between.
     *
     * @param onEnd called on whatever thread, perhaps more than once
     * @return to be run when the connection is gone
     */
    public Runnable hold(Grant grant, Runnable onEnd) {
        return flows.hold(grant, onEnd);
    }

    /** Cuts every request that runs. */
    void cutAll(String why) {
        flows.cut(flow -> true, why);
    }

    /** The very last look, on the flow's own thread, right before the head is written. */
    public boolean stillStands(Admission admission) {
        return !admission.flow().isCut() && grants.stands(admission.grant());
    }

    private static Optional<Refusal> unfit(Grant grant, Scope scope, RequestHead head, @Nullable String named) {
        String selected = named == null ? null : grant.policy() + ":" + scope.name();
        if (named != null && !named.equals(selected)) {
            return Optional.of(Refusal.of(RefusalError.SCOPE_MISMATCH, "the request belongs to the scope " + selected)
                    .inScope(scope.name()));
        }
        if (head.framing() instanceof Framing.Length(long length)
                && length > scope.bodyLimit().orElse(Long.MAX_VALUE)) {
            return Optional.of(tooLarge(scope));
        }
        return WebSocketHandshake.asked(head)
                        && WebSocketHandshake.of(head) instanceof Parsed.Malformed<WebSocketHandshake>(String reason)
                ? Optional.of(Refusal.of(RefusalError.MALFORMED, reason).inScope(scope.name()))
                : Optional.empty();
    }

    /** For both framings: a chunked body is found out on its way. */
    public static Refusal tooLarge(Scope scope) {
        return Refusal.of(
                        RefusalError.BODY_TOO_LARGE,
                        "the scope takes content of at most "
                                + scope.bodyLimit().orElse(0) + " bytes")
                .inScope(scope.name());
    }

    private CompletionStage<Passage> enter(
            RuleBook book,
            Judgement.Allowed allowed,
            Grant grant,
            RequestHead head,
            @Nullable String named,
            Consumer<String> onCut) {
        Optional<LiveFlow> entered =
                flows.enter(grant, head, allowed.policy().task().atOnce(), onCut);
        if (entered.isEmpty()) {
            return refuse(Refusal.of(RefusalError.AT_ONCE, "the task has as many requests running as it may")
                    .inScope(allowed.scope().name())
                    .after(Duration.ofSeconds(1)));
        }
        LiveFlow flow = entered.get();
        // The last looks come after entering: a revocation between look and send finds the flow and cuts it.
        if (!grants.stands(grant)) {
            flow.leave();
            return refuse(ended());
        }
        // So does a narrower book: one that came before the flow entered has not seen it, and has to judge it here.
        if (books.current() != book) {
            flow.leave();
            return admit(grant, head, named, onCut);
        }
        return equip(allowed, flow, head);
    }

    /** Whatever goes wrong here, the flow does not stay behind: it would count against its task's limit for good. */
    private CompletionStage<Passage> equip(Judgement.Allowed allowed, LiveFlow flow, RequestHead head) {
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
        flow.leave();
        if (grants.stands(flow.grant())) {
            LOG.error("a request could not be given its credential", fault);
        }
        return unserved(allowed, flow, "the lease failed");
    }

    /** A grant that has ended in between has lost its leases: that is no fault of ours. */
    private Passage unserved(Judgement.Allowed allowed, LiveFlow flow, String cause) {
        return new Passage.Refused(grants.stands(flow.grant()) ? unavailable(allowed.scope(), cause) : ended());
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
            flow.leave();
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
            return refused(flow, held, tokenInRequest(allowed.scope()));
        }
        return switch (injections.head(held, head, clean)) {
            case Injections.Outcome.Refused(Refusal refusal) ->
                refused(flow, held, refusal.inScope(allowed.scope().name()));
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

    private static Passage refused(LiveFlow flow, List<Lease> held, Refusal refusal) {
        held.forEach(Lease::close);
        flow.leave();
        return new Passage.Refused(refusal);
    }

    /**
     * The request with what its credentials make of its whole content, before it is recorded.
     *
     * @param content all of it, as the agent sent it; not to be changed
     * @throws IllegalStateException when the grant has ended, and its leases with it
     */
    public Completion complete(Admission admission, byte[] content) {
        return injections.complete(admission, content);
    }

    /** More content than is gathered for what has to be written into it or to be signed with it. */
    public static Refusal tooLargeToInject(Admission admission) {
        return Injections.tooLarge(admission.wholeLimit())
                .inScope(admission.scope().name());
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

    /** A task token would work for whoever reads it, from the right place: it goes to no destination. */
    public static Refusal tokenInRequest(Scope scope) {
        return Refusal.of(RefusalError.TASK_TOKEN_IN_REQUEST, "a task token of this broker stands in the request")
                .inScope(scope.name())
                .closing();
    }

    /** What a request's content is looked at for; empty where it has none, or where no credential of ours is on it. */
    public Optional<ContentWatch> ownContent(Admission admission) {
        return admission.credentialed() && !(admission.clean().framing() instanceof Framing.None)
                ? Optional.of(ContentSlots.watch(
                        admission.clean().fields(),
                        books.current().plan(admission.scope()).ownOfContent()))
                : Optional.empty();
    }

    /** What the agent brings in content would go along with our credential, and some destinations would believe it instead. */
    public static Refusal ownCredential(Scope scope, ContentWatch.Found found) {
        return switch (found) {
            case ContentWatch.Found.Slot(String slot) ->
                Refusal.of(
                                RefusalError.OWN_CREDENTIAL,
                                "the content brings a credential (" + slot + "), and the scope has its own")
                        .inScope(scope.name());
            case ContentWatch.Found.Action(String name) ->
                Refusal.of(
                                RefusalError.HANDS_OUT_CREDENTIALS,
                                "the answer would be a fresh credential (Action=" + name + ")")
                        .inScope(scope.name());
        };
    }

    /** A head as an entry may show it: a path may hold a key of the agent's own where a credential for that origin would stand. */
    public RequestHead shown(RequestHead head) {
        Target target = head.target();
        for (Credential credential : books.current().credentials().values()) {
            if (credential.mayGoTo(head.origin())) {
                target = credential.redacted(target);
            }
        }
        return head.withTarget(target);
    }

    /** A placeholder goes to no destination: whoever put it there expects a secret in its place. */
    public static Refusal placeholderInContent(Admission admission) {
        return unfit(
                admission,
                Misfit.PLACEHOLDER,
                "a credential's placeholder stands in the content or the trailers, where it is not allowed");
    }

    /** What has to be here whole finds the hop holding as much content as it may. */
    public static Refusal noRoomForContent(Admission admission) {
        return Refusal.of(
                        RefusalError.NO_ROOM_FOR_CONTENT,
                        "the content has to be gathered for its credential, and the broker holds as much content as it may")
                .inScope(admission.scope().name())
                .after(Duration.ofSeconds(1));
    }

    /** What a credential said while its request's content was on its way. */
    public static Refusal unfit(Admission admission, Misfit misfit, String reason) {
        return Injections.refusal(misfit, reason).inScope(admission.scope().name());
    }

    /** What tells task tokens in a request's content, and in what is to be recorded of it. */
    public TokenMarks marks() {
        return marks;
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

    private static Refusal ended() {
        return Refusal.of(RefusalError.GRANT_ENDED, "the grant of this token has ended")
                .closing();
    }

    private static Refusal unavailable(Scope scope, String cause) {
        return Refusal.of(RefusalError.UNAVAILABLE, "the broker can't serve this just now")
                .inScope(scope.name())
                .because(cause);
    }

    private static CompletionStage<Passage> refuse(Refusal refusal) {
        return CompletableFuture.completedFuture(new Passage.Refused(refusal));
    }
}
