package io.sallyport;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * All that can be set under {@code sallyport.}, with its defaults. The names of the components are the names of the keys, in kebab case:
 * {@link SettingNames} reads them from here, so a key that is not a component is refused. Documented in {@code docs/reference/settings.md}.
 *
 * @param issuer the name of this broker in tokens and metadata
 * @param data folder of the embedded database and of the operator token
 * @param rules folder of documents
 * @param secrets folder for {@code file} sources
 * @param confirmPlaces whether an operator confirms where a changed credential may go
 * @param key {@code file:PATH}, {@code env:NAME}, {@code aws-kms:ARN} or {@code vault-transit:MOUNT/KEY}: the key that seals what rests in the database
 * @param previousKeys where keys are that sealed before, each as {@code key}; they open what they have sealed until it is sealed anew
 * @param tlsTerminatedInFront true says that whatever stands before the agent, hop and management doors speaks TLS
 * @param blastRadius which isolations may reach credentials of a radius; a radius that is not named keeps its default
 */
record Settings(
        @DefaultValue("http://localhost:8080") URI issuer,
        @DefaultValue("data") Path data,
        @DefaultValue("config/rules") Path rules,
        @DefaultValue("config/secrets") Path secrets,
        @Nullable String key,
        @DefaultValue List<String> previousKeys,
        @DefaultValue("true") boolean confirmPlaces,
        @DefaultValue("false") boolean tlsTerminatedInFront,
        @DefaultValue Map<String, List<String>> blastRadius,
        @DefaultValue Operator operator,
        @DefaultValue Proxy proxy,
        @DefaultValue Vault vault,
        @DefaultValue Kms kms) {

    /**
     * The Vault or OpenBao server of {@code vault} sources.
     *
     * @param address {@code https://HOST[:PORT]}; null for none
     * @param namespace of the login and of all paths; null for the root one
     * @param trust {@code file:PATH} of a PEM file of the only roots that it is verified by; null for the system's
     * @param addresses reserved ranges that its name may resolve to
     */
    record Vault(
            @Nullable String address,
            @Nullable String namespace,
            @Nullable String trust,
            @DefaultValue List<String> addresses,
            @DefaultValue VaultAuth auth) {}

    /**
     * AWS KMS, for a key that it keeps.
     *
     * @param endpoint {@code https://HOST[:PORT]} in place of the region's; null for that
     * @param trust {@code file:PATH} of a PEM file of the only roots that it is verified by; null for the system's
     * @param addresses reserved ranges in which it may live
     * @param secretAccessKey {@code file:NAME} or {@code env:SALLYPORT_SECRET_…}
     */
    record Kms(
            @Nullable String endpoint,
            @Nullable String trust,
            @DefaultValue List<String> addresses,
            @Nullable String accessKeyId,
            @Nullable String secretAccessKey) {}

    /**
     * How the broker logs in there.
     *
     * @param method {@code token}, {@code approle}, {@code kubernetes} or {@code jwt}
     * @param mount where the method is mounted; null for its own name
     * @param role of kubernetes and jwt
     * @param roleId of approle
     * @param secret {@code file:…} or {@code env:SALLYPORT_SECRET_…} of the token, the SecretID or the JWT
     * @param wrappedAt where the secret's wrapping token was made; null where the secret is not wrapped
     */
    record VaultAuth(
            @Nullable String method,
            @Nullable String mount,
            @Nullable String role,
            @Nullable String roleId,
            @Nullable String secret,
            @Nullable String wrappedAt) {}

    /** @param tlsBundle name of a {@code spring.ssl.bundle}; null for none */
    record Operator(
            @DefaultValue("8081") int port,
            @DefaultValue("127.0.0.1") String bind,
            @Nullable String tlsBundle) {}

    /**
     * @param upstreamTrust {@code file:PATH} of a PEM file with roots that upstreams are verified by besides the system's; null for the system's alone
     * @param authority {@code file:PATH} of a PEM file with an authority that signs for the hop, brought along; null for the broker's own
     * @param nameServers {@code IP[:PORT]}; empty for the system's
     * @param upstreamProxy {@code http(s)://HOST:PORT} of the proxy at the way out; null for none
     * @param upstreamProxyCredential {@code file:PATH} or {@code env:NAME} of {@code USER:PASSWORD}; null for none
     * @param upstreamProxyTarget {@code address} or {@code name}: what it is asked for
     * @param noProxy hosts, {@code *.suffixes}, addresses and ranges that are dialled without it
     * @param names under which the hop shows itself when it is spoken to in TLS; the first is shown to whoever names another or none
     */
    record Proxy(
            @DefaultValue("3128") int port,
            @DefaultValue("127.0.0.1") String bind,
            @Nullable String upstreamTrust,
            @Nullable String authority,
            @DefaultValue List<String> nameServers,
            @DefaultValue NameAnswers nameAnswers,
            @Nullable String upstreamProxy,
            @Nullable String upstreamProxyCredential,
            @DefaultValue("address") String upstreamProxyTarget,
            @DefaultValue List<String> noProxy,
            @DefaultValue("localhost") List<String> names,
            @DefaultValue Deadlines deadlines,
            @DefaultValue Http2 http2,
            @DefaultValue Listeners listeners,
            @DefaultValue Limits limits,
            @DefaultValue Transparent transparent) {}

    /**
     * Listeners for connections that a TPROXY rule leads here.
     *
     * @param bind the address of all of them; null for none
     * @param port of the one that knows a task by its source address
     * @param sources networks in which an address is one sandbox's
     */
    record Transparent(
            @Nullable String bind,
            @DefaultValue("3129") int port,
            @DefaultValue List<String> sources) {}

    /**
     * What one agent's HTTP/2 connection may have.
     *
     * @param streams at one time
     * @param window bytes of content that a stream may send before any of it is taken
     * @param resets of streams in a minute
     * @param controlFrames in a minute that carry neither request nor content
     */
    record Http2(
            @DefaultValue("100") int streams,
            @DefaultValue("262144") int window,
            @DefaultValue("400") int resets,
            @DefaultValue("2000") int controlFrames) {}

    /**
     * How long an answer to a name is kept, whatever its time to live says.
     *
     * @param keptAtLeast 1s to 1h
     * @param keptAtMost kept-at-least to 1d
     */
    record NameAnswers(
            @DefaultValue("5s") Duration keptAtLeast,
            @DefaultValue("60s") Duration keptAtMost) {}

    /**
     * The listeners of tasks that are bound to one.
     *
     * @param ports {@code FIRST-LAST}; 0 for what the system gives
     * @param most open at one time
     * @param sockets folder of Unix sockets; null for none
     */
    record Listeners(
            @DefaultValue("127.0.0.1") String bind,
            @DefaultValue("13128-13627") String ports,
            @DefaultValue("500") int most,
            @Nullable Path sockets) {}

    /**
     * How long the hop waits for whom: more than nothing and at most a day each, written with a unit as in {@code 10s}.
     *
     * @param requestHead from the first byte of a head to its end, and from a connection's start to its first byte
     * @param handshake of TLS, on either side
     * @param dial of one address
     * @param idle of an agent's connection, also within a stream
     * @param pooledIdle of an upstream connection that serves nobody
     * @param patience that a small body gets to arrive whole, so that it is one entry
     * @param recognition from a connection's start until a live grant is shown on it
     * @param bodyIdle for the next byte of a content of known length that the hop waits for
     * @param stall that a peer may leave no room for more of what is meant for it
     * @param drain that requests which run get to end when the broker stops
     */
    record Deadlines(
            @DefaultValue("30s") Duration requestHead,
            @DefaultValue("10s") Duration handshake,
            @DefaultValue("10s") Duration dial,
            @DefaultValue("15m") Duration idle,
            @DefaultValue("30s") Duration pooledIdle,
            @DefaultValue("5ms") Duration patience,
            @DefaultValue("30s") Duration recognition,
            @DefaultValue("1m") Duration bodyIdle,
            @DefaultValue("5m") Duration stall,
            @DefaultValue("5s") Duration drain) {}

    /**
     * How much of the hop one peer or task may hold; null for a share of what the process may open or hold.
     *
     * @param connections of agents at one time
     * @param connectionsPerSource of one IPv4 address or IPv6 /64 network
     * @param strangersPerSource connections on which no live grant was shown
     * @param content bytes of requests' content that are held at one time
     * @param bodyRate bytes a second
     * @param masksPerTask that answers of one task may need before it ends
     */
    record Limits(
            @Nullable Integer connections,
            @Nullable Integer connectionsPerSource,
            @DefaultValue("256") int strangersPerSource,
            @Nullable Integer connectionsPerTask,
            @DefaultValue("256") int requestsPerTask,
            @Nullable DataSize content,
            @DefaultValue("32MB") DataSize contentPerTask,
            @DefaultValue("240B") DataSize bodyRate,
            @DefaultValue("1MB") DataSize injectedContent,
            @DefaultValue("16") int masksPerTask) {}

    /** The key's place: beside the user, never beside the database that it opens. */
    String keyPlace() {
        return key != null ? key : "file:" + Path.of(System.getProperty("user.home"), ".sallyport", "master.key");
    }
}
