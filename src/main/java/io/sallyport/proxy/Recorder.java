package io.sallyport.proxy;

import io.sallyport.grant.Charge;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.grant.Reservation;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.RequestHead;
import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.store.Tx;
import io.sallyport.store.Writer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sixth step: charges and records in one transaction. What it has not called durable does not leave. */
public final class Recorder {

    private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);

    private final Writer writer;
    private final Grants grants;
    private final Ledger ledger;
    private final Allowance<String> refusals;
    private final HopHealth health;
    private final SentContentKey sentContent;
    private final MaskLimit masks;

    Recorder(
            Writer writer,
            Grants grants,
            Ledger ledger,
            Allowance<String> refusals,
            HopHealth health,
            SentContentKey sentContent,
            MaskLimit masks) {
        this.masks = masks;
        this.writer = writer;
        this.grants = grants;
        this.ledger = ledger;
        this.refusals = refusals;
        this.health = health;
        this.sentContent = sentContent;
    }

    /** For one sending of a request whose content is not the agent's. */
    public SentContent sentContent() {
        return sentContent.begin();
    }

    /** A request's admission, with the first window of its content. Completed on the writer's thread. */
    public CompletionStage<Recorded> use(Admission admission, Window window) {
        RequestHead head = admission.clean();
        Charge charge = firstCharge(admission, bytes(window));
        Fact fact = new Fact.Used(
                actor(admission.grant()),
                admission.scope().name(),
                head.method(),
                head.origin(),
                head.target().text(),
                window.length(),
                window.prefixSha256(),
                window.last(),
                requestSha256(admission, window),
                admission.credentials(),
                admission.removed());
        return chargeAndRecord(charge, fact);
    }

    /** A further window of a use. */
    public CompletionStage<Recorded> window(Admission admission, long use, Window window) {
        Fact fact = new Fact.Window(
                actor(admission.grant()),
                use,
                window.offset(),
                window.length(),
                window.prefixSha256(),
                window.last(),
                requestSha256(admission, window));
        return chargeAndRecord(charge(admission, 0, bytes(window)), fact);
    }

    /** Something was masked in an answer, so many times since this was last said of it. Too many end the task; nobody waits for that. */
    public void masked(Admission admission, int fresh) {
        masks.masked(admission.grant(), fresh);
    }

    /** How a use ended. Nobody waits for it, so it goes to disk with what somebody waits for; one that can't be written shows in health, and at the next start as unknown. */
    public void outcome(Admission admission, Recorded.Durable use, UseOutcome outcome) {
        SentContent content = outcome.content();
        Fact fact = new Fact.Outcome(
                actor(admission.grant()),
                use.seq(),
                outcome.kind(),
                outcome.status(),
                outcome.upstreamAddress(),
                outcome.sent() ? admission.credentials() : List.of(),
                outcome.bytesOut(),
                outcome.bytesIn(),
                admission.scrubber().masked(),
                outcome.detail(),
                content != null && content.begun(),
                content == null ? null : content.hmac().orElse(null));
        health.ended(outcome.kind());
        Reservation.Reserved unsent = outcome.sent() ? null : use.reserved();
        List<Fact> handedOut = admission.fresh().found().stream()
                .<Fact>map(
                        found -> new Fact.HandedOut(actor(admission.grant()), use.seq(), found.name(), found.sha256()))
                .toList();
        writer.submitInPassing(tx -> settle(tx, fact, handedOut, unsent)).whenComplete((seq, fault) -> {
            if (fault == null) {
                health.recorded();
            } else {
                LOG.error("the outcome of use {} could not be recorded", use.seq(), fault);
                health.outcomeLost();
            }
        });
    }

    /**
     * A "no" to a known grant. It stands whether or not it can be written; the answer names its entry where there is one. A task that is
     * refused faster than it may be is not written down any more, but counted, and its connection closed.
     *
     * @return the refusal with its ledger entry
     */
    public CompletionStage<Refusal> refused(Grant grant, RefusedRequest request, Refusal refusal) {
        if (!refusals.take(grant.task())) {
            health.refusedTooOften();
            return CompletableFuture.completedFuture(refusal.closing());
        }
        Fact fact = new Fact.Refused(
                actor(grant),
                refusal.scope(),
                request.method(),
                request.destination(),
                request.target(),
                refusal.error(),
                refusal.cause() == null ? refusal.reason() : refusal.reason() + " (" + refusal.cause() + ")",
                refusal.status(),
                request.removed());
        return writer.submit(tx -> ledger.append(tx, fact).seq()).handle((seq, fault) -> {
            if (fault == null) {
                health.recorded();
                return refusal.entered(seq);
            }
            LOG.error("a refusal of grant {} could not be recorded", grant.id(), fault);
            health.refusalLost();
            return refusal;
        });
    }

    private static Refusal spent(Reservation.Spent spent, Charge charge) {
        long asked = spent.limit().endsWith("uses") ? charge.uses() : charge.bytesOut();
        String reason = "the limit " + spent.limit() + " is spent: " + spent.left() + " left, " + asked + " asked for";
        return Refusal.of(RefusalError.LIMIT_SPENT, reason).inScope(charge.scope());
    }

    private CompletionStage<Recorded> chargeAndRecord(Charge charge, Fact fact) {
        return writer.<Recorded>submit(tx -> switch (grants.reserve(tx, charge)) {
                    case Reservation.Reserved reserved ->
                        new Recorded.Durable(ledger.append(tx, fact).seq(), reserved);
                    case Reservation.TooSoon(String limit, Duration wait) ->
                        new Recorded.Denied(Refusal.of(RefusalError.RATE, "the limit " + limit + " is reached")
                                .inScope(charge.scope())
                                .after(wait));
                    case Reservation.Spent spent -> new Recorded.Denied(spent(spent, charge));
                    case Reservation.Ended(String cause) ->
                        new Recorded.Denied(Refusal.of(RefusalError.GRANT_ENDED, "the grant has ended: " + cause)
                                .inScope(charge.scope())
                                .closing());
                })
                .handle((recorded, fault) -> {
                    if (fault == null) {
                        health.recorded();
                        if (charge.uses() > 0 && recorded instanceof Recorded.Durable) {
                            health.used();
                        }
                        return recorded;
                    }
                    LOG.error(
                            "a use of grant {} could not be recorded: nothing is sent",
                            charge.grant().id(),
                            fault);
                    health.recordFailed();
                    return new Recorded.Unwritable(String.valueOf(fault.getMessage()));
                });
    }

    private long settle(Tx tx, Fact fact, List<Fact> handedOut, Reservation.@Nullable Reserved unsent)
            throws SQLException {
        if (unsent != null) {
            grants.giveBack(tx, unsent);
        }
        long seq = ledger.append(tx, fact).seq();
        for (Fact one : handedOut) {
            ledger.append(tx, one);
        }
        return seq;
    }

    private static @Nullable String requestSha256(Admission admission, Window window) {
        return window.last() ? RequestHash.of(admission.clean(), window.trailers(), window.prefixSha256()) : null;
    }

    private static Charge firstCharge(Admission admission, long content) {
        RequestHead head = admission.clean();
        return charge(admission, 1, head.target().text().length() + content + bytes(head.fields()));
    }

    private static long bytes(Window window) {
        return window.length() + bytes(window.trailers());
    }

    private static long bytes(Fields fields) {
        long bytes = 0;
        for (Field line : fields) {
            bytes += line.name().length() + line.value().length();
        }
        return bytes;
    }

    private static Charge charge(Admission admission, int uses, long bytes) {
        return new Charge(
                admission.grant(),
                admission.scope().name(),
                uses,
                bytes,
                uses == 0 ? null : admission.scope().rate().orElse(null),
                admission.limits().dayUses(),
                admission.limits().dayBytesOut());
    }

    private static Fact.Actor actor(Grant grant) {
        return new Fact.Actor(grant.task(), grant.id(), grant.policy(), grant.workload(), grant.person());
    }
}
