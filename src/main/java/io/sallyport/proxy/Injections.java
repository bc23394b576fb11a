package io.sallyport.proxy;

import io.sallyport.credential.ContentUse;
import io.sallyport.credential.Injected;
import io.sallyport.credential.Injected.Misfit;
import io.sallyport.credential.Lease;
import io.sallyport.http.Framing;
import io.sallyport.http.RequestHead;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts all credentials of one request on it, one after the other: what signs comes last, and sees what the others have written. */
final class Injections {

    /** Content that is gathered to be written into, or to be signed, unless a setting says otherwise. */
    static final long USUAL_LIMIT = 1024 * 1024;

    private final long limit;

    /** @param limit bytes of content of one request that are gathered whole */
    Injections(long limit) {
        this.limit = limit;
    }

    sealed interface Outcome {

        /** @param removed slots that the agent had filled in the content */
        record Done(RequestHead head, List<String> removed) implements Outcome {}

        record Refused(Refusal refusal) implements Outcome {}
    }

    /**
     * @param held brought into the order in which they go on
     * @param asked as the agent sent it @param clean what is left of it
     */
    Outcome head(List<Lease> held, RequestHead asked, RequestHead clean) {
        held.sort((one, other) -> Boolean.compare(one.signs(), other.signs()));
        RequestHead head = clean;
        for (Lease lease : held) {
            switch (lease.inject(asked, head)) {
                case Injected.Done(RequestHead done, var ignored) -> head = done;
                case Injected.Refused(Misfit misfit, String reason) -> {
                    return new Outcome.Refused(refusal(misfit, reason));
                }
            }
        }
        long most = wholeLimit(held);
        return asked.framing() instanceof Framing.Length(long length) && length > most
                ? new Outcome.Refused(tooLarge(most))
                : new Outcome.Done(head, List.of());
    }

    /** Once they are injected. */
    long wholeLimit(List<Lease> held) {
        for (Lease lease : held) {
            if (lease.content() == ContentUse.WHOLE) {
                return limit;
            }
        }
        return Admission.AS_IT_COMES;
    }

    /** The hop itself answers an Expect whose content it gathers: there is nothing left to expect of the destination. */
    RequestHead withoutExpect(List<Lease> held, RequestHead head) {
        return wholeLimit(held) == Admission.AS_IT_COMES || !head.fields().has("Expect")
                ? head
                : head.withFields(head.fields().without("Expect"));
    }

    Completion complete(Admission admission, byte[] content) {
        RequestHead head = admission.outgoing();
        List<String> removed = new ArrayList<>(admission.removed());
        byte[] now = content;
        boolean changed = false;
        for (Lease lease : admission.leases()) {
            if (lease.content() != ContentUse.WHOLE) {
                continue;
            }
            switch (lease.complete(head, now)) {
                case Injected.Done(RequestHead done, Optional<ByteBuffer> other) -> {
                    head = done;
                    if (other.isPresent()) {
                        now = bytes(other.get());
                        changed = true;
                        head = sized(head, now.length);
                    }
                }
                case Injected.Refused(Misfit misfit, String reason) -> {
                    return new Completion.Refused(
                            refusal(misfit, reason).inScope(admission.scope().name()));
                }
            }
        }
        for (Lease lease : admission.leases()) {
            lease.removed().stream().filter(slot -> !removed.contains(slot)).forEach(removed::add);
        }
        return new Completion.Completed(
                admission.completed(head, List.copyOf(removed)),
                changed ? Optional.of(ByteBuffer.wrap(now)) : Optional.empty());
    }

    /** A length is said anew; chunks say theirs themselves. */
    private static RequestHead sized(RequestHead head, long length) {
        return head.framing() instanceof Framing.Chunked ? head : head.withFraming(new Framing.Length(length));
    }

    private static byte[] bytes(ByteBuffer content) {
        byte[] bytes = new byte[content.remaining()];
        content.get(content.position(), bytes);
        return bytes;
    }

    static Refusal tooLarge(long limit) {
        return Refusal.of(
                RefusalError.CONTENT_TOO_LARGE_TO_INJECT,
                "the credential goes into the content, or signs it, and the broker gathers at most " + limit
                        + " bytes for that");
    }

    static Refusal refusal(Misfit misfit, String reason) {
        return Refusal.of(
                switch (misfit) {
                    case TARGET -> RefusalError.TARGET_WITHOUT_PLACE;
                    case CONTENT_TYPE -> RefusalError.CONTENT_TYPE_WITHOUT_PLACE;
                    case CONTENT -> RefusalError.CONTENT_WITHOUT_PLACE;
                    case PLACEHOLDER -> RefusalError.PLACEHOLDER_MISPLACED;
                    case HEAD -> RefusalError.HEAD_NOT_INJECTABLE;
                },
                reason);
    }
}
