package io.sallyport.exchange;

import com.nimbusds.oauth2.sdk.OAuth2Error;
import io.sallyport.http.Origin;
import java.util.Optional;
import java.util.Set;

/**
 * A well-formed token exchange request (RFC 8693 section 2.1), nothing of it verified. It holds tokens: it is never printed.
 *
 * @param actor the actor token, of a type that is understood
 * @param targets origins that it is to be narrowed to; empty for none
 */
record ExchangeRequest(
        Subject subject,
        Optional<String> actor,
        Optional<String> clientId,
        AskedScopes asked,
        Set<Origin> targets,
        TaskDetails details) {

    static final String GRANT_TYPE = "urn:ietf:params:oauth:grant-type:token-exchange";
    static final String ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

    /** Types of tokens that are JWTs and prove somebody. A refresh token proves a consent long past; SAML is not read here. */
    private static final Set<String> PROOFS =
            Set.of(ACCESS_TOKEN, "urn:ietf:params:oauth:token-type:jwt", "urn:ietf:params:oauth:token-type:id_token");

    /** @param accessToken whether its type is the one that a task token of ours has */
    record Subject(String token, boolean accessToken) {

        @Override
        public String toString() {
            return "Subject[accessToken=" + accessToken + "]";
        }
    }

    static Step<Form> ofThisGrantType(Form form) {
        Optional<String> type = form.one("grant_type");
        if (type.isEmpty()) {
            return Step.refused(Refusal.invalidRequest("grant_type is required."));
        }
        return type.get().equals(GRANT_TYPE)
                ? Step.passed(form)
                : Step.refused(Refusal.of(OAuth2Error.UNSUPPORTED_GRANT_TYPE, "grant_type is " + GRANT_TYPE + "."));
    }

    /** @param issuer of this broker, which may stand as an audience */
    static Step<ExchangeRequest> parse(Form form, String issuer) {
        return proof(form, "subject_token").then(token -> {
            if (token.isEmpty()) {
                return Step.refused(Refusal.invalidRequest("subject_token is required."));
            }
            boolean accessToken =
                    form.one("subject_token_type").filter(ACCESS_TOKEN::equals).isPresent();
            Subject subject = new Subject(token.get(), accessToken);
            return proof(form, "actor_token")
                    .then(actor -> wanted(form).then(fine -> parse(form, issuer, subject, actor)));
        });
    }

    private static Step<ExchangeRequest> parse(Form form, String issuer, Subject subject, Optional<String> actor) {
        return AskedScopes.parse(form.one("scope").orElse(""))
                .then(asked -> Targets.parse(form.all("resource"), form.all("audience"), issuer)
                        .then(targets -> TaskDetails.parse(form.one("authorization_details"))
                                .then(details -> Step.passed(new ExchangeRequest(
                                        subject, actor, form.one("client_id"), asked, targets, details)))));
    }

    /** A token with its type: neither goes without the other. */
    private static Step<Optional<String>> proof(Form form, String name) {
        Optional<String> token = form.one(name);
        Optional<String> type = form.one(name + "_type");
        if (token.isPresent() != type.isPresent()) {
            return Step.refused(Refusal.invalidRequest(
                    token.isPresent() ? name + "_type is required." : name + "_type without " + name + "."));
        }
        return type.isPresent() && !PROOFS.contains(type.get())
                ? Step.refused(Refusal.invalidRequest(
                        name + "_type is one of access_token, id_token, jwt (RFC 8693 section 3)."))
                : Step.passed(token);
    }

    private static Step<Form> wanted(Form form) {
        return form.one("requested_token_type")
                        .filter(type -> !type.equals(ACCESS_TOKEN))
                        .isPresent()
                ? Step.refused(Refusal.invalidRequest("requested_token_type can only be " + ACCESS_TOKEN + "."))
                : Step.passed(form);
    }

    @Override
    public String toString() {
        return "ExchangeRequest[" + asked + ", " + targets + "]";
    }
}
