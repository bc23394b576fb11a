package io.sallyport.credential.source;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.PrivateKeyJWT;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.id.ClientID;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who the broker is to an issuer: a registered client and what it proves that with (RFC 6749 section 2.3, RFC 7523 section 2.2).
 *
 * @param id the client's
 * @param method {@link Method#NONE} for a public client, which shows its id alone
 * @param secret a text or a private key, as the method wants it; null for a public client
 * @param keyId {@code kid} in what is signed; null for none
 * @param audience whom a signed assertion is for; null for the token endpoint
 */
record OAuthClient(
        String id,
        Method method,
        @Nullable OwnSecret secret,
        @Nullable String keyId,
        @Nullable String audience) {

    /** As {@code client-auth} in documents. */
    enum Method {
        CLIENT_SECRET_BASIC,
        CLIENT_SECRET_POST,
        PRIVATE_KEY_JWT,
        NONE
    }

    /** Issuers' clocks lag: what is signed begins a little earlier. */
    static final Duration BACK_DATED = Duration.ofSeconds(30);

    private static final Duration SIGNED_FOR = Duration.ofMinutes(5);

    /** @param mayBePublic whether {@code client-auth: none} makes sense for the grant */
    static Optional<OAuthClient> read(Keys keys, boolean mayBePublic) {
        Optional<String> id = keys.text("client-id");
        Optional<Method> method = keys.optional("client-auth", Forms.oneOf(Method.class));
        boolean unreadable = keys.has("client-auth") && method.isEmpty();
        Method chosen = method.orElse(Method.CLIENT_SECRET_BASIC);
        if (chosen == Method.NONE && !mayBePublic) {
            keys.problem(
                    "client-auth",
                    "\"none\" is for refresh tokens of public clients; allowed: client-secret-basic, client-secret-post, private-key-jwt");
        }
        Optional<OwnSecret> secret = switch (chosen) {
            case CLIENT_SECRET_BASIC, CLIENT_SECRET_POST -> OwnSecret.read(keys, "client-secret");
            case PRIVATE_KEY_JWT -> OwnSecret.read(keys, "private-key");
            case NONE -> Optional.empty();
        };
        boolean signs = chosen == Method.PRIVATE_KEY_JWT;
        Optional<String> keyId = signs ? keys.optionalText("key-id") : Optional.empty();
        Optional<String> audience = signs ? keys.optionalText("assertion-audience") : Optional.empty();
        if (unreadable || id.isEmpty() || (chosen != Method.NONE && secret.isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(
                new OAuthClient(id.get(), chosen, secret.orElse(null), keyId.orElse(null), audience.orElse(null)));
    }

    ClientID clientId() {
        return new ClientID(id);
    }

    /**
     * What a request proves the client with; null for a public one.
     *
     * @param endpoint that it is for
     */
    @Nullable
    ClientAuthentication proof(String credential, URI endpoint, SourceTools tools)
            throws SourceFault, InterruptedException {
        if (secret == null) {
            return null;
        }
        try (SecretValue value = secret.value(credential, tools)) {
            return switch (method) {
                case CLIENT_SECRET_BASIC -> new ClientSecretBasic(clientId(), text(value));
                case CLIENT_SECRET_POST -> new ClientSecretPost(clientId(), text(value));
                case PRIVATE_KEY_JWT -> signed(SigningKey.read(value.bytes(), secret.key()), endpoint, tools.clock());
                case NONE -> null;
            };
        }
    }

    private PrivateKeyJWT signed(SigningKey key, URI endpoint, Clock clock) {
        Instant now = clock.instant();
        return new PrivateKeyJWT(key.sign(
                new JWTClaimsSet.Builder()
                        .issuer(id)
                        .subject(id)
                        .audience(audience == null ? endpoint.toString() : audience)
                        .issueTime(Date.from(now.minus(BACK_DATED)))
                        .expirationTime(Date.from(now.plus(SIGNED_FOR)))
                        .jwtID(UUID.randomUUID().toString())
                        .build(),
                keyId));
    }

    private Secret text(SecretValue value) throws SourceFault {
        if (value.bytes().length == 0) {
            throw SourceFault.bad("its client-secret is empty");
        }
        return new Secret(new String(value.bytes(), StandardCharsets.UTF_8));
    }
}
