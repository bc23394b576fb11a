package io.sallyport.identity;

import com.nimbusds.jose.jwk.JWKSet;
import io.sallyport.net.GuardedClient;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks an issuer for its public keys: OpenID Connect Discovery 1.0 section 4, then RFC 7517, through the guard for the broker's own calls. */
final class IssuerKeys implements FetchedKeys.Fetch {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int LIMIT = 256 * 1024;
    private static final JsonMapper JSON = new JsonMapper();

    private final Identity identity;
    private final GuardedClient client;

    IssuerKeys(Identity identity, GuardedClient client) {
        this.identity = identity;
        this.client = client;
    }

    @Override
    public JWKSet get() throws IOException {
        URI uri = identity.keys() instanceof KeyOrigin.At(URI named) ? named : discover();
        try {
            // A symmetric or private key has no business here; as a public set it can't verify anything.
            JWKSet keys = JWKSet.parse(text(uri)).toPublicJWKSet();
            if (keys.isEmpty()) {
                throw new IOException("no public key at " + uri);
            }
            return keys;
        } catch (ParseException notKeys) {
            throw new IOException("not a JSON Web Key Set: " + uri, notKeys);
        }
    }

    private URI discover() throws IOException {
        URI document = discoveryOf(identity.issuer());
        try {
            JsonNode metadata = JSON.readTree(text(document));
            // Section 4.3: exactly the issuer that was asked for, or another could answer in its name.
            if (!metadata.path("issuer").asString("").equals(identity.issuer())) {
                throw new IOException(document + " names another issuer");
            }
            URI keys = URI.create(metadata.path("jwks_uri").asString(""));
            if (!"https".equals(keys.getScheme()) && !document.getScheme().equals(keys.getScheme())) {
                throw new IOException(document + " has no jwks_uri with https");
            }
            return keys;
        } catch (JacksonException | IllegalArgumentException notMetadata) {
            throw new IOException(document + " is no discovery document", notMetadata);
        }
    }

    static URI discoveryOf(String issuer) {
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        return URI.create(base + "/.well-known/openid-configuration");
    }

    private String text(URI uri) throws IOException {
        byte[] content = client.get(new GuardedClient.Call(
                uri, identity.trust(), identity.addresses(), bearer(identity.tokenFile()), TIMEOUT, LIMIT));
        return new String(content, StandardCharsets.UTF_8);
    }

    /** Read at each fetch: such files are rotated under the reader (a projected service account token, hourly). */
    private static @Nullable String bearer(@Nullable Path file) throws IOException {
        if (file == null) {
            return null;
        }
        try {
            return Files.readString(file).strip();
        } catch (IOException unreadable) {
            throw new IOException("token-file " + file + " can't be read", unreadable);
        }
    }
}
