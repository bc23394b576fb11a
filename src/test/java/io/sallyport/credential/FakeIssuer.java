package io.sallyport.credential;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.JWTBearerGrant;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.PlainClientSecret;
import com.nimbusds.oauth2.sdk.auth.PrivateKeyJWT;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import io.sallyport.http.Fields;
import io.sallyport.net.GuardedExchange;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An issuer as RFC 6749, 6750, 7009 and 7523 describe one, strict about what it is sent: requests are read by a library that the broker's
 * side shares only for writing them. Refresh tokens rotate, and one that is shown a second time ends the family (RFC 9700 section 4.14).
 */
final class FakeIssuer implements GuardedExchange {

    static final URI TOKEN = URI.create("https://issuer.test/token");
    static final URI REVOCATION = URI.create("https://issuer.test/revoke");
    static final String CLIENT = "acme";
    static final String SECRET = "c1ient-s3cret: with/odd&signs+%";

    /** What is done to one request. */
    enum Trouble {
        UNSENT,
        ANSWER_LOST,
        NEVER_ARRIVED
    }

    private final Clock clock;
    private final List<TokenRequest> asked = new ArrayList<>();
    private final List<String> revoked = new ArrayList<>();
    private final Map<String, Instant> live = new HashMap<>();
    private final Set<String> used = new HashSet<>();
    private final Queue<Trouble> troubles = new ArrayDeque<>();
    private final Queue<Answer> answers = new ArrayDeque<>();
    private int number;

    @Nullable
    PublicKey key;
    /** In the answer; 0 for nothing said. */
    long expiresIn = 3600;

    String type = "Bearer";
    boolean rotates = true;
    /** How long a token that was used is forgiven; null for not at all. */
    @Nullable
    Duration grace;

    private @Nullable String refresh;
    private @Nullable String before;
    private Instant rotatedAt = Instant.EPOCH;
    int reuses;

    FakeIssuer(Clock clock) {
        this.clock = clock;
    }

    /** A family begins with this one. */
    synchronized void grant(String first) {
        refresh = first;
        before = null;
    }

    synchronized void trouble(Trouble... next) {
        troubles.addAll(List.of(next));
    }

    synchronized void answer(int status, String content, String... fields) {
        answers.add(new Answer(status, Fields.of(fields), content.getBytes(StandardCharsets.UTF_8)));
    }

    synchronized List<TokenRequest> asked() {
        return List.copyOf(asked);
    }

    synchronized List<String> revoked() {
        return List.copyOf(revoked);
    }

    /** As a resource server would say. */
    synchronized boolean accepts(String access) {
        Instant until = live.get(access);
        return until != null && clock.instant().isBefore(until);
    }

    @Override
    public synchronized Answer exchange(Request request) throws IOException {
        Trouble trouble = troubles.poll();
        if (trouble == Trouble.UNSENT) {
            throw new Unsent(new java.net.ConnectException("refused near " + SECRET));
        }
        if (trouble == Trouble.NEVER_ARRIVED) {
            throw new IOException("reset near " + SECRET);
        }
        Answer answer = answered(request);
        if (trouble == Trouble.ANSWER_LOST) {
            throw new IOException("reset near " + SECRET);
        }
        return answer;
    }

    private Answer answered(Request request) {
        try {
            HTTPRequest read = new HTTPRequest(HTTPRequest.Method.valueOf(request.method()), request.uri());
            request.fields().forEach(line -> read.setHeader(line.name(), line.value()));
            read.setBody(new String(request.content(), StandardCharsets.UTF_8));
            if (request.uri().equals(REVOCATION)) {
                revoked.add(read.getBodyAsFormParameters().get("token").getFirst());
                return json(200, "");
            }
            TokenRequest token = TokenRequest.parse(read);
            asked.add(token);
            Answer staged = answers.poll();
            return staged == null ? token(token) : staged;
        } catch (ParseException e) {
            return error(400, "invalid_request");
        } catch (JOSEException | java.text.ParseException e) {
            throw new AssertionError(e);
        }
    }

    private Answer token(TokenRequest request) throws JOSEException, java.text.ParseException {
        if (!(request.getAuthorizationGrant() instanceof JWTBearerGrant) && !known(request)) {
            return error(401, "invalid_client");
        }
        if (request.getScope() != null && request.getScope().contains("admin")) {
            return error(400, "invalid_scope");
        }
        return switch (request.getAuthorizationGrant()) {
            case RefreshTokenGrant grant -> refreshed(grant.getRefreshToken().getValue());
            case JWTBearerGrant grant ->
                holds((SignedJWT) grant.getJWTAssertion()) ? given(null) : error(400, "invalid_grant");
            default -> given(null);
        };
    }

    private boolean known(TokenRequest request) throws JOSEException, java.text.ParseException {
        ClientAuthentication shown = request.getClientAuthentication();
        return switch (shown) {
            case null -> "public".equals(request.getClientID().getValue());
            case PlainClientSecret plain ->
                plain.getClientID().getValue().equals(CLIENT)
                        && plain.getClientSecret().getValue().equals(SECRET);
            case PrivateKeyJWT signed -> holds(signed.getClientAssertion());
            default -> false;
        };
    }

    /** Signed by the key, for this endpoint, begun already and over within the hour. */
    private boolean holds(SignedJWT assertion) throws JOSEException, java.text.ParseException {
        JWSVerifier verifier = key instanceof RSAPublicKey rsa
                ? new RSASSAVerifier(rsa)
                : new ECDSAVerifier((ECPublicKey) java.util.Objects.requireNonNull(key));
        JWTClaimsSet claims = assertion.getJWTClaimsSet();
        Instant issued = claims.getIssueTime().toInstant();
        Instant end = claims.getExpirationTime().toInstant();
        return assertion.verify(verifier)
                && claims.getAudience().equals(List.of(TOKEN.toString()))
                && issued.isBefore(clock.instant().minusSeconds(20))
                && end.isAfter(clock.instant())
                && !end.isAfter(issued.plus(Duration.ofHours(1)));
    }

    private Answer refreshed(String shown) {
        boolean forgiven =
                shown.equals(before) && grace != null && clock.instant().isBefore(rotatedAt.plus(grace));
        if (!shown.equals(refresh) && !forgiven) {
            if (used.contains(shown)) {
                reuses++;
                refresh = null;
                live.clear();
            }
            return error(400, "invalid_grant");
        }
        if (!rotates) {
            return given(null);
        }
        used.add(shown);
        before = shown;
        rotatedAt = clock.instant();
        refresh = "refresh-token-" + ++number;
        return given(refresh);
    }

    private Answer given(@Nullable String next) {
        String access = "Qm7xZt9vKr3-access-" + ++number;
        live.put(access, clock.instant().plusSeconds(expiresIn == 0 ? 3600 : expiresIn));
        return json(
                200,
                "{\"access_token\":\"" + access + "\",\"token_type\":\"" + type + "\""
                        + (expiresIn == 0 ? "" : ",\"expires_in\":" + expiresIn)
                        + (next == null ? "" : ",\"refresh_token\":\"" + next + "\"") + "}");
    }

    private static Answer error(int status, String code) {
        return json(status, "{\"error\":\"" + code + "\",\"error_description\":\"near " + SECRET + "\"}");
    }

    private static Answer json(int status, String content) {
        return new Answer(
                status, Fields.of("Content-Type", "application/json"), content.getBytes(StandardCharsets.UTF_8));
    }
}
