package io.sallyport;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * All that can be set under {@code sallyport.}, with its defaults. The names of the components are the names of the keys, in kebab case:
 * {@link SettingNames} reads them from here, so a key that is not a component is refused. Documented in {@code docs/reference/settings.md}.
 *
 * @param issuer the name of this broker in tokens and metadata
 * @param data folder of the embedded database and of the operator token
 * @param rules folder of documents
 * @param secrets folder for {@code file} sources
 * @param key {@code file:PATH} or {@code env:NAME}: the key that seals what rests in the database
 * @param tlsTerminatedInFront true says that whatever stands before the agent, hop and management doors speaks TLS
 * @param blastRadius which isolations may reach credentials of a radius; a radius that is not named keeps its default
 */
record Settings(
        @DefaultValue("http://localhost:8080") URI issuer,
        @DefaultValue("data") Path data,
        @DefaultValue("config/rules") Path rules,
        @DefaultValue("config/secrets") Path secrets,
        @Nullable String key,
        @DefaultValue("false") boolean tlsTerminatedInFront,
        @DefaultValue Map<String, List<String>> blastRadius,
        @DefaultValue Operator operator,
        @DefaultValue Proxy proxy) {

    /** @param tlsBundle name of a {@code spring.ssl.bundle}; null for none */
    record Operator(
            @DefaultValue("8081") int port,
            @DefaultValue("127.0.0.1") String bind,
            @Nullable String tlsBundle) {}

    /**
     * @param upstreamTrust {@code file:PATH} of a PEM file with the only roots that upstreams are verified by; null for the system's
     * @param nameServers {@code IP[:PORT]}; empty for the system's
     */
    record Proxy(
            @DefaultValue("3128") int port,
            @DefaultValue("127.0.0.1") String bind,
            @Nullable String upstreamTrust,
            @DefaultValue List<String> nameServers) {}

    /** The key's place: beside the user, never beside the database that it opens. */
    String keyPlace() {
        return key != null ? key : "file:" + Path.of(System.getProperty("user.home"), ".sallyport", "master.key");
    }
}
