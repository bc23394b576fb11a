package io.sallyport.proxy;

import io.sallyport.credential.Credential;
import io.sallyport.credential.Leases;
import io.sallyport.credential.TokenMarks;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.http.ContentSlots;
import io.sallyport.http.ContentWatch;
import io.sallyport.http.Framing;
import io.sallyport.http.Parsed;
import io.sallyport.http.RequestHead;
import io.sallyport.http.Target;
import io.sallyport.http.WebSocketHandshake;
import io.sallyport.policy.Scope;
import io.sallyport.rules.RuleBook;
import io.sallyport.rules.RuleBooks;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Steps two to five of a request, in a straight line: recognise the grant, decide, lease, inject. It answers at once, on the caller's
 * thread, whenever all that it needs is in memory; only a cold lease makes it wait.
 */
public final class Gate {

    private final Grants grants;
    private final RuleBooks books;
    private final Judge judge;
    private final Callers callers;
    private final Equipping equipping;
    private final TokenMarks marks;
    private final LiveFlows flows;
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
        this.callers = new Callers(grants, strangers, health);
        this.equipping = new Equipping(grants, leases, marks, injections);
        this.marks = marks;
        this.flows = flows;
        this.injections = injections;
    }

    /** @param token as presented; null for none @param challenge what a stranger is told: 407 at the hop, 401 at the gateway */
    public Recognised recognise(@Nullable String token, InetAddress source, RefusalError challenge) {
        return callers.recognise(token, source, challenge);
    }

    /**
     * Whose head this is that could not be read: for its entry, and for nothing else. The task token in it, or one of two, where it is
     * live for this source.
     */
    public Optional<Grant> sender(String unreadable, InetAddress source) {
        return callers.sender(unreadable, source);
    }

    /** The grant of whoever shows none, by its source address: where exactly one that is used by its token is bound to it. */
    public Optional<Grant> ofSource(InetAddress source) {
        return callers.ofSource(source);
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
            return Optional.of(ContentRefusals.tooLarge(scope));
        }
        return WebSocketHandshake.asked(head)
                        && WebSocketHandshake.of(head) instanceof Parsed.Malformed<WebSocketHandshake>(String reason)
                ? Optional.of(Refusal.of(RefusalError.MALFORMED, reason).inScope(scope.name()))
                : Optional.empty();
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
        return equipping.equip(allowed, flow, head).thenApply(passage -> entered(flow, passage));
    }

    /** Whatever went wrong, the flow does not stay behind: it would count against its task's limit for good. */
    private static Passage entered(LiveFlow flow, Passage passage) {
        if (passage instanceof Passage.Refused) {
            flow.leave();
        }
        return passage;
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

    /** What a request's content is looked at for; empty where it has none, or where no credential of ours is on it. */
    public Optional<ContentWatch> ownContent(Admission admission) {
        return admission.credentialed() && !(admission.clean().framing() instanceof Framing.None)
                ? Optional.of(ContentSlots.watch(
                        admission.clean().fields(),
                        books.current().plan(admission.scope()).ownOfContent()))
                : Optional.empty();
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

    /** What tells task tokens in a request's content, and in what is to be recorded of it. */
    public TokenMarks marks() {
        return marks;
    }

    static Refusal ended() {
        return Refusal.of(RefusalError.GRANT_ENDED, "the grant of this token has ended")
                .closing();
    }

    private static CompletionStage<Passage> refuse(Refusal refusal) {
        return CompletableFuture.completedFuture(new Passage.Refused(refusal));
    }
}
