package io.sallyport.credential.source;

import com.nimbusds.oauth2.sdk.ClientCredentialsGrant;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Access tokens of a client for itself (RFC 6749 section 4.4). */
record ClientCredentialsSource(TokenEndpoint endpoint, OAuthClient client, Sharing sharing) implements SecretSource {

    static final SourceKind KIND = new SourceKind("oauth-client-credentials", ClientCredentialsSource::read);

    private static Optional<ClientCredentialsSource> read(Keys keys) {
        Optional<TokenEndpoint> endpoint = TokenEndpoint.read(keys, true);
        Optional<OAuthClient> client = OAuthClient.read(keys, false);
        Sharing sharing = keys.optional("sharing", Forms.oneOf(Sharing.class)).orElse(Sharing.SHARED);
        return endpoint.flatMap(there -> client.map(who -> new ClientCredentialsSource(there, who, sharing)));
    }

    @Override
    public String kind() {
        return KIND.name();
    }

    @Override
    public Fetched fetch(Fetch fetch) throws SourceFault, InterruptedException {
        TokenEndpoint.Tokens tokens = endpoint.ask(fetch, client, new ClientCredentialsGrant(), true);
        return new Fetched.Given(
                Material.of(tokens.access().getBytes(StandardCharsets.UTF_8)),
                UUID.randomUUID(),
                tokens.lives(),
                endpoint.revoker(fetch.credential(), client, tokens.access()));
    }

    @Override
    public Optional<SecretSource> narrowed(Keys keys) {
        return endpoint.narrowed(keys).map(fewer -> new ClientCredentialsSource(fewer, client, sharing));
    }

    @Override
    public List<Path> trusts() {
        return endpoint.trusts();
    }
}
