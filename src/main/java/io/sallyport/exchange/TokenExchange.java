package io.sallyport.exchange;

import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.grant.Opening;
import io.sallyport.grant.TaskListener;
import io.sallyport.grant.TaskListeners;
import io.sallyport.grant.TaskTokens;
import io.sallyport.identity.Delegation;
import io.sallyport.identity.Verified;
import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.rules.RuleBook;
import io.sallyport.rules.RuleBooks;
import io.sallyport.store.Writer;
import java.net.InetAddress;
import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Token exchange (RFC 8693): a proven workload in, a task token out, and the grant and its entry on disk before the token is told. */
final class TokenExchange {

    private final RuleBooks rules;
    private final Grants grants;
    private final TaskTokens tokens;
    private final TaskListeners listeners;
    private final Ledger ledger;
    private final Writer writer;
    private final Clock clock;
    private final ExchangeSettings settings;

    TokenExchange(Rooms rooms, Clock clock, ExchangeSettings settings) {
        this.rules = rooms.rules();
        this.grants = rooms.grants();
        this.tokens = rooms.tokens();
        this.listeners = rooms.listeners();
        this.ledger = rooms.ledger();
        this.writer = rooms.writer();
        this.clock = clock;
        this.settings = settings;
    }

    /** The rooms that an exchange goes through. */
    record Rooms(
            RuleBooks rules, Grants grants, TaskTokens tokens, TaskListeners listeners, Ledger ledger, Writer writer) {}

    /** What a successful exchange answers. */
    record Issued(Grant grant, String token, boolean details, Optional<TaskListener> listener) {

        @Override
        public String toString() {
            return "Issued[" + grant.id() + "]";
        }
    }

    Step<Issued> exchange(Form form, Optional<String> authorization, InetAddress source) {
        RuleBook book = rules.current();
        Proofs proofs = new Proofs(book.identities());
        Circumstances at = new Circumstances(book, source, clock.instant(), Circumstances.Names.fresh());
        return ExchangeRequest.ofThisGrantType(form)
                .then(ours -> proofs.client(ours.client(authorization)))
                .then(client -> ExchangeRequest.parse(form, settings.issuer())
                        .then(request -> decide(request, client, proofs, at)
                                .refusedAs(
                                        refusal -> refusal.under(request.asked().policy()))
                                .then(decided -> issue(decided, request))));
    }

    private Step<Decided> decide(ExchangeRequest request, Optional<Verified> client, Proofs proofs, Circumstances at) {
        Decision decision = new Decision(request, at);
        String token = request.subject().token();
        if (request.subject().accessToken() && tokens.jtiOf(token).isPresent()) {
            return Proofs.standing(grants, token, at.source())
                    .then(parent -> proofs.delegation(request, parent)
                            .then(who -> named(who, client, request))
                            .then(who -> decision.narrow(new Decision.Parent(parent, grants.usage(parent.id())), who)
                                    .refusedAs(
                                            refusal -> refusal.by(who.workload().principal()))));
        }
        return proofs.delegation(request)
                .then(who -> named(who, client, request))
                .then(who -> decision.open(who)
                        .refusedAs(refusal -> refusal.by(who.workload().principal())));
    }

    private static Step<Delegation> named(Delegation who, Optional<Verified> client, ExchangeRequest request) {
        return Proofs.sameClient(who, client, request.clientId().orElse(null));
    }

    private Step<Issued> issue(Decided decided, ExchangeRequest request) {
        Grant grant = decided.grant();
        TaskListener.Wanted wanted = decided.wanted();
        Optional<String> whyNot = wanted == null ? Optional.empty() : listeners.whyNot(wanted);
        if (whyNot.isPresent()) {
            return Step.refused(Refusal.invalidDetails(whyNot.get()).by(grant.workload()));
        }
        // Minted first: a key that can't sign leaves no grant behind.
        String token = tokens.mint(grant);
        Opening opening = writer.write(tx -> {
            Opening opened = grants.open(tx, grant);
            if (opened instanceof Opening.Opened) {
                rules.keepVersion(tx, decided.policy());
                ledger.append(tx, entry(grant));
            }
            return opened;
        });
        return switch (opening) {
            // An order may have come between the commit and this line: then the token is dead, and is not handed out.
            case Opening.Opened()
            when grants.stands(grant) ->
                opened(new Issued(grant, token, request.details().given(), Optional.empty()), wanted);
            case Opening.Opened() -> stopped(grant, "ended as soon as it was opened");
            case Opening.Refused(String cause) -> stopped(grant, cause);
        };
    }

    /** The listener comes last: a grant that is not on disk must not be reached. Without its listener it is of no use, and has ended. */
    private Step<Issued> opened(Issued issued, TaskListener.@Nullable Wanted wanted) {
        if (wanted == null) {
            return Step.passed(issued);
        }
        Grant grant = issued.grant();
        return switch (listeners.open(grant, wanted)) {
            case TaskListeners.Opened.Listening(TaskListener listener) ->
                Step.passed(new Issued(grant, issued.token(), issued.details(), Optional.of(listener)));
            case TaskListeners.Opened.Failed(String cause) ->
                Step.refused(Refusal.unavailable("no listener: " + cause).by(grant.workload()));
        };
    }

    private static Step<Issued> stopped(Grant grant, String cause) {
        return Step.refused(Refusal.unauthorizedClient("What was asked for has been stopped by an operator.", cause)
                .by(grant.workload())
                .under(grant.policy()));
    }

    private static Fact entry(Grant grant) {
        return new Fact.Exchanged(
                new Fact.Actor(grant.task(), grant.id(), grant.policy(), grant.workload(), grant.person()),
                grant.scopes(),
                grant.expiresAt().toString(),
                grant.parent(),
                grant.purpose());
    }
}
