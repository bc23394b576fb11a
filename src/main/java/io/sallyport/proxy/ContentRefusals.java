package io.sallyport.proxy;

import io.sallyport.credential.Injected.Misfit;
import io.sallyport.http.ContentWatch;
import io.sallyport.policy.Scope;
import java.time.Duration;

/** What is said to a request that was admitted, when its content turns out not to be fit to leave. */
public final class ContentRefusals {

    private ContentRefusals() {}

    /** For both framings: a chunked body is found out on its way. */
    public static Refusal tooLarge(Scope scope) {
        return Refusal.of(
                        RefusalError.BODY_TOO_LARGE,
                        "the scope takes content of at most "
                                + scope.bodyLimit().orElse(0) + " bytes")
                .inScope(scope.name());
    }

    /** More content than is gathered for what has to be written into it or to be signed with it. */
    public static Refusal tooLargeToInject(Admission admission) {
        return Injections.tooLarge(admission.wholeLimit())
                .inScope(admission.scope().name());
    }

    /** A task token would work for whoever reads it, from the right place: it goes to no destination. */
    public static Refusal tokenInRequest(Scope scope) {
        return Refusal.of(RefusalError.TASK_TOKEN_IN_REQUEST, "a task token of this broker stands in the request")
                .inScope(scope.name())
                .closing();
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
}
