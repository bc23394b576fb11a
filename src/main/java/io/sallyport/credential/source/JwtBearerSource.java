package io.sallyport.credential.source;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.oauth2.sdk.JWTBearerGrant;
import io.sallyport.document.Keys;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Access tokens for an assertion that the broker signs (RFC 7523 section 2.1): Google's service accounts, and issuers like it.
 *
 * @param key a Google service account's key file where {@code issuer} is null, else a private key
 * @param issuer {@code iss} of the assertion; null where the key file has it
 * @param subject {@code sub}: who the token is for; null for the issuer itself
 * @param audience {@code aud}; null for the token endpoint
 */
record JwtBearerSource(
        TokenEndpoint endpoint,
        OwnSecret key,
        @Nullable String issuer,
        @Nullable String keyId,
        @Nullable String subject,
        @Nullable String audience)
        implements SecretSource {

    static final SourceKind KIND = new SourceKind("oauth-jwt-bearer", JwtBearerSource::read);

    private static final String ACCOUNT = "service-account";
    private static final Duration SIGNED_FOR = Duration.ofMinutes(10);
    private static final JsonMapper JSON = new JsonMapper();

    private static Optional<JwtBearerSource> read(Keys keys) {
        boolean account = keys.has(ACCOUNT);
        Optional<TokenEndpoint> endpoint = TokenEndpoint.read(keys, false);
        Optional<OwnSecret> key = OwnSecret.read(keys, account ? ACCOUNT : "private-key");
        Optional<String> issuer = account ? Optional.empty() : keys.text("issuer");
        Optional<String> keyId = account ? Optional.empty() : keys.optionalText("key-id");
        Optional<String> subject = keys.optionalText("subject");
        Optional<String> audience = keys.optionalText("assertion-audience");
        if (endpoint.isEmpty() || key.isEmpty() || (!account && issuer.isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(new JwtBearerSource(
                endpoint.get(),
                key.get(),
                issuer.orElse(null),
                keyId.orElse(null),
                subject.orElse(null),
                audience.orElse(null)));
    }

    @Override
    public String kind() {
        return KIND.name();
    }

    @Override
    public Fetched fetch(Fetch fetch) throws SourceFault, InterruptedException {
        Signer signer = signer(fetch);
        Instant now = fetch.tools().clock().instant();
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .issuer(signer.issuer())
                .audience(audience == null ? endpoint.uri().toString() : audience)
                .issueTime(Date.from(now.minus(OAuthClient.BACK_DATED)))
                .expirationTime(Date.from(now.plus(SIGNED_FOR)))
                .jwtID(UUID.randomUUID().toString());
        boolean google = issuer == null;
        if (subject != null || !google) {
            claims.subject(subject == null ? signer.issuer() : subject);
        }
        if (google && !endpoint.scopes().isEmpty()) {
            claims.claim("scope", String.join(" ", endpoint.scopes()));
        }
        JWTBearerGrant grant = new JWTBearerGrant(signer.key().sign(claims.build(), signer.keyId()));
        TokenEndpoint.Tokens tokens = endpoint.ask(fetch, null, grant, !google);
        return Fetched.given(
                Material.of(tokens.access().getBytes(StandardCharsets.UTF_8)), UUID.randomUUID(), tokens.lives());
    }

    private record Signer(String issuer, @Nullable String keyId, SigningKey key) {}

    private Signer signer(Fetch fetch) throws SourceFault, InterruptedException {
        try (SecretValue value = key.value(fetch)) {
            if (issuer != null) {
                return new Signer(issuer, keyId, SigningKey.read(value.bytes(), key.key()));
            }
            return account(value.bytes());
        }
    }

    /** As Google's console writes it. Where it says that tokens are had is not looked at: the document decides where assertions go. */
    private static Signer account(byte[] json) throws SourceFault {
        JsonNode account;
        try {
            account = JSON.readTree(json);
        } catch (JacksonException e) {
            // Its message may quote the text, and the text holds a key.
            throw SourceFault.bad("its service-account is no JSON");
        }
        return new Signer(
                member(account, "client_email"),
                account.path("private_key_id").asString(null),
                SigningKey.read(member(account, "private_key").getBytes(StandardCharsets.UTF_8), ACCOUNT));
    }

    private static String member(JsonNode account, String name) throws SourceFault {
        JsonNode member = account.path(name);
        if (!member.isString() || member.stringValue().isBlank()) {
            throw SourceFault.bad("its service-account has no " + name + "; allowed: the key file of one, in JSON");
        }
        return member.stringValue();
    }

    @Override
    public Optional<SecretSource> narrowed(Keys keys) {
        return endpoint.narrowed(keys).map(fewer -> new JwtBearerSource(fewer, key, issuer, keyId, subject, audience));
    }

    @Override
    public List<Path> trusts() {
        return endpoint.trusts();
    }
}
