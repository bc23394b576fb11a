package io.sallyport.credential.source;

import com.nimbusds.oauth2.sdk.AccessTokenResponse;
import com.nimbusds.oauth2.sdk.AuthorizationGrant;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.TokenRevocationRequest;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.token.AccessToken;
import com.nimbusds.oauth2.sdk.token.AccessTokenType;
import com.nimbusds.oauth2.sdk.token.BearerAccessToken;
import com.nimbusds.oauth2.sdk.token.RefreshToken;
import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.net.GuardedExchange;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An issuer's token endpoint (RFC 6749 section 3.2), and what is asked of it each time.
 *
 * @param revocation where tokens are given back (RFC 7009); null where they are not
 * @param scopes in order; empty for the issuer's own choice
 * @param resources RFC 8707
 * @param audience as some issuers have it instead; null for none
 * @param expiresIn how long a token is used where the answer does not say
 */
record TokenEndpoint(
        URI uri,
        @Nullable URI revocation,
        Reach reach,
        List<String> scopes,
        List<URI> resources,
        @Nullable String audience,
        Duration expiresIn) {

    private static final Duration WITHIN = Duration.ofSeconds(8);
    private static final int LIMIT = 64 * 1024;
    private static final Duration UNSAID = Duration.ofMinutes(5);
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final Duration SHORTEST = Duration.ofSeconds(10);
    private static final Duration MOST_SKEW = Duration.ofSeconds(30);
    private static final String WHOM = "its token endpoint";

    private static final Form<Duration> EXPIRES =
            Forms.DURATION.then(time -> time.compareTo(SHORTEST) >= 0 && time.compareTo(LONGEST) <= 0
                    ? Reading.of(time)
                    : Reading.unreadable("is out of bounds; allowed: 10s to 1d"));

    /** RFC 6749 section 3.3. */
    private static final Form<String> SCOPE = Forms.TEXT.then(text -> text.matches("[\\x21\\x23-\\x5B\\x5D-\\x7E]+")
            ? Reading.of(text)
            : Reading.unreadable(
                    Forms.quote(text) + " is not one scope; allowed: one without spaces, each as an item"));

    private static final Form<URI> RESOURCE = Forms.TEXT.then(TokenEndpoint::resource);

    /** @param revocable whether {@code revocation} makes sense for the grant */
    static Optional<TokenEndpoint> read(Keys keys, boolean revocable) {
        Optional<URI> uri = keys.required("token-endpoint", Reach.URL);
        Optional<URI> revocation = revocable ? keys.optional("revocation", Reach.URL) : Optional.empty();
        Reach reach = Reach.read(keys);
        List<String> scopes = keys.optionalList("scopes", SCOPE);
        List<URI> resources = keys.optionalList("resources", RESOURCE);
        Optional<String> audience = keys.optionalText("audience");
        Optional<Duration> expiresIn = keys.optional("expires-in", EXPIRES);
        return uri.map(it -> new TokenEndpoint(
                it,
                revocation.orElse(null),
                reach,
                scopes,
                resources,
                audience.orElse(null),
                expiresIn.orElse(UNSAID)));
    }

    private static Reading<URI> resource(String text) {
        try {
            URI uri = new URI(text);
            if (uri.isAbsolute() && uri.getRawFragment() == null) {
                return Reading.of(uri);
            }
        } catch (URISyntaxException notOne) {
            // Said below, with what is allowed.
        }
        return Reading.unreadable(
                Forms.quote(text) + " is not a resource; allowed: an absolute URI without fragment (RFC 8707)");
    }

    TokenEndpoint {
        scopes = List.copyOf(scopes);
        resources = List.copyOf(resources);
    }

    List<Path> trusts() {
        return reach.trust() == null ? List.of() : List.of(reach.trust());
    }

    /** The same, asked for fewer scopes; those that it does not have are a problem on the keys. */
    Optional<TokenEndpoint> narrowed(Keys keys) {
        List<String> fewer = keys.list("scopes", SCOPE);
        List<String> more =
                fewer.stream().filter(scope -> !scopes.contains(scope)).toList();
        if (!more.isEmpty()) {
            keys.problem(
                    "scopes",
                    "has " + String.join(", ", more) + ", which the credential has not; allowed: some of "
                            + (scopes.isEmpty() ? "the scopes that its document lists (it lists none)" : scopes));
        }
        return fewer.isEmpty() || !more.isEmpty()
                ? Optional.empty()
                : Optional.of(new TokenEndpoint(uri, revocation, reach, fewer, resources, audience, expiresIn));
    }

    /** What a token endpoint gave. */
    record Tokens(String access, Duration lives, @Nullable String refresh) {

        @Override
        public String toString() {
            return "Tokens[" + lives + "]";
        }
    }

    /** What became of a request. */
    sealed interface Outcome {

        record Given(Tokens tokens) implements Outcome {}

        /** The issuer has said no, or was never asked: what was granted is as good as before, unless the fault says otherwise. */
        record Refused(SourceFault fault) implements Outcome {}

        /** It may have been asked, and may have done it: nobody knows. */
        record Lost(SourceFault fault) implements Outcome {}
    }

    /** As {@link #attempt}, for grants that can be shown any number of times. @throws SourceFault see {@link TokenFaults} */
    Tokens ask(Fetch fetch, @Nullable OAuthClient client, AuthorizationGrant grant, boolean scoped)
            throws SourceFault, InterruptedException {
        return switch (attempt(fetch, client, grant, scoped)) {
            case Outcome.Given(Tokens tokens) -> tokens;
            case Outcome.Refused(SourceFault fault) -> throw fault;
            case Outcome.Lost(SourceFault fault) -> throw fault;
        };
    }

    /**
     * @param client null for nobody but the grant's own assertion
     * @param scoped whether {@code scope} goes along; of an assertion it may be a claim instead
     */
    Outcome attempt(Fetch fetch, @Nullable OAuthClient client, AuthorizationGrant grant, boolean scoped)
            throws InterruptedException {
        try {
            TokenFaults.calm(fetch, uri);
            HTTPRequest request = request(fetch, client, grant, scoped);
            GuardedExchange.Answer answer = send(fetch.tools(), request);
            if (TokenFaults.isError(answer)) {
                SourceFault fault = TokenFaults.of(fetch, uri, answer);
                return answer.status() >= 500 && answer.status() != 503
                        ? new Outcome.Lost(fault)
                        : new Outcome.Refused(fault);
            }
            return tokens(answer);
        } catch (SourceFault fault) {
            return new Outcome.Refused(fault);
        } catch (GuardedExchange.Unsent e) {
            return new Outcome.Refused(Reach.noAnswer(WHOM, e));
        } catch (IOException e) {
            return new Outcome.Lost(Reach.noAnswer(WHOM, e));
        }
    }

    private HTTPRequest request(Fetch fetch, @Nullable OAuthClient client, AuthorizationGrant grant, boolean scoped)
            throws SourceFault, InterruptedException {
        TokenRequest.Builder request = builder(fetch, client, grant);
        if (scoped && !scopes.isEmpty()) {
            request.scope(new Scope(scopes.toArray(String[]::new)));
        }
        if (!resources.isEmpty()) {
            request.resources(resources.toArray(URI[]::new));
        }
        if (audience != null) {
            request.customParameter("audience", audience);
        }
        return request.build().toHTTPRequest();
    }

    private TokenRequest.Builder builder(Fetch fetch, @Nullable OAuthClient client, AuthorizationGrant grant)
            throws SourceFault, InterruptedException {
        if (client == null) {
            return new TokenRequest.Builder(uri, grant);
        }
        ClientAuthentication proof = client.proof(fetch.credential(), uri, fetch.tools());
        return proof == null
                ? new TokenRequest.Builder(uri, client.clientId(), grant)
                : new TokenRequest.Builder(uri, proof, grant);
    }

    private GuardedExchange.Answer send(SourceTools tools, HTTPRequest request) throws IOException {
        List<Field> fields = new ArrayList<>();
        request.getHeaderMap()
                .forEach((name, values) -> values.forEach(value -> fields.add(new Field(name, value, true))));
        fields.add(new Field("Accept", "application/json"));
        byte[] content = String.valueOf(request.getBody()).getBytes(StandardCharsets.UTF_8);
        return reach.exchange(
                tools, new Reach.Question("POST", request.getURI(), Fields.of(fields), content), WITHIN, LIMIT);
    }

    /** An answer that can't be read is as good as none: what was granted may have been used up for it. */
    private Outcome tokens(GuardedExchange.Answer answer) {
        try {
            HTTPResponse read = new HTTPResponse(200);
            read.setHeader("Content-Type", answer.fields().first("Content-Type").orElse("none"));
            read.setBody(new String(answer.content(), StandardCharsets.UTF_8));
            AccessTokenResponse given = TokenResponse.parse(read).toSuccessResponse();
            AccessToken access = given.getTokens().getAccessToken();
            RefreshToken refresh = given.getTokens().getRefreshToken();
            return AccessTokenType.BEARER.equals(access.getType())
                    ? new Outcome.Given(
                            new Tokens(access.getValue(), lives(access), refresh == null ? null : refresh.getValue()))
                    : new Outcome.Lost(SourceFault.bad(WHOM + " gave a token of another type than Bearer"));
        } catch (ParseException | RuntimeException e) {
            // Its message quotes the answer, and the answer has tokens.
            return new Outcome.Lost(SourceFault.bad(WHOM + " gave an answer that is no token (RFC 6749 section 5.1)"));
        }
    }

    /** A little less than the issuer says: its clock is another one, and a request takes time to arrive. */
    private Duration lives(AccessToken access) {
        if (access.getLifetime() <= 0) {
            return expiresIn;
        }
        Duration said = Duration.ofSeconds(Math.min(access.getLifetime(), LONGEST.toSeconds()));
        Duration tenth = said.dividedBy(10);
        return said.minus(tenth.compareTo(MOST_SKEW) < 0 ? tenth : MOST_SKEW);
    }

    /** What gives a token back; null where the document names no place for it. */
    @Nullable
    Revoker revoker(String credential, @Nullable OAuthClient client, String token) {
        URI there = revocation;
        if (there == null || client == null) {
            return null;
        }
        return tools -> {
            ClientAuthentication proof = client.proof(credential, there, tools);
            BearerAccessToken bearer = new BearerAccessToken(token);
            HTTPRequest request = (proof == null
                            ? new TokenRevocationRequest(there, client.clientId(), bearer)
                            : new TokenRevocationRequest(there, proof, bearer))
                    .toHTTPRequest();
            int status = status(tools, request);
            if (status != 200) {
                throw TokenFaults.notRevoked(status);
            }
        };
    }

    private int status(SourceTools tools, HTTPRequest request) throws SourceFault {
        try {
            return send(tools, request).status();
        } catch (IOException e) {
            throw Reach.noAnswer("its revocation endpoint", e);
        }
    }
}
