package io.sallyport.identity;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How a client of the agent door proves which workload it is: a workload token as {@code client_assertion} (RFC 7521 section 4.2, RFC 7523
 * section 2.2). There are no client secrets, so whatever looks like one is refused, not ignored.
 */
public final class ClientAssertions {

    public static final String TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

    private ClientAssertions() {}

    /**
     * What a request brought; an empty parameter is a missing one.
     *
     * @param authorization the Authorization field
     */
    public record Presented(
            Optional<String> authorization,
            Optional<String> clientId,
            Optional<String> clientSecret,
            Optional<String> assertionType,
            Optional<String> assertion) {

        private boolean assertionTried() {
            return assertion.isPresent() || assertionType.isPresent();
        }

        /** Whether HTTP Basic was tried, so that the answer has to carry a challenge (RFC 6749 section 5.2). */
        private boolean basicTried() {
            return authorization
                    .filter(value -> value.toLowerCase(Locale.ROOT).startsWith("basic"))
                    .isPresent();
        }

        private long methods() {
            return Stream.of(authorization.isPresent(), clientSecret.isPresent(), assertionTried())
                    .filter(tried -> tried)
                    .count();
        }

        @Override
        public String toString() {
            return "Presented[" + methods() + " methods]";
        }
    }

    /** What came of it. */
    public sealed interface Outcome {

        /** No method was tried. A {@code client_id} alone names somebody and proves nothing. */
        record Nobody() implements Outcome {}

        record Client(Verified workload) implements Outcome {}

        /** RFC 6749 section 2.3: more than one method in a request is {@code invalid_request}. */
        record TwoMethods() implements Outcome {}

        /**
         * {@code invalid_client}.
         *
         * @param cause for the log and the ledger
         * @param basicTried whether the 401 carries a Basic challenge
         */
        record Refused(String cause, boolean basicTried) implements Outcome {}

        /** The issuer's keys can't be had just now. */
        record Unavailable(String cause) implements Outcome {}
    }

    public static Outcome authenticate(Presented presented, Identities identities) {
        long methods = presented.methods();
        if (methods == 0) {
            return new Outcome.Nobody();
        }
        if (methods > 1) {
            return new Outcome.TwoMethods();
        }
        if (!presented.assertionTried()) {
            return new Outcome.Refused("a client secret or an Authorization field", presented.basicTried());
        }
        if (!presented.assertionType().filter(TYPE::equals).isPresent()) {
            return refused("a client_assertion_type that is missing or another");
        }
        if (presented.assertion().isEmpty()) {
            return refused("no client_assertion");
        }
        return switch (identities.verify(presented.assertion().get())) {
            case Verification.Rejected(String cause) -> refused("client_assertion: " + cause);
            case Verification.Unavailable(String cause) -> new Outcome.Unavailable(cause);
            case Verification.Accepted(Verified workload) -> named(workload, presented.clientId());
        };
    }

    private static Outcome named(Verified workload, Optional<String> clientId) {
        return clientId.isPresent()
                        && !clientId.get().equals(workload.principal().toString())
                ? refused("the client_id is not the workload of the client_assertion")
                : new Outcome.Client(workload);
    }

    private static Outcome refused(String cause) {
        return new Outcome.Refused(cause, false);
    }
}
