package io.sallyport.credential.vault;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sallyport.credential.NoRefreshTokens;
import io.sallyport.credential.VaultSettings;
import io.sallyport.credential.source.Fetch;
import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.Material;
import io.sallyport.credential.source.Pauses;
import io.sallyport.credential.source.SecretFolder;
import io.sallyport.credential.source.SecretSource;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.credential.source.SourceTools;
import io.sallyport.document.Compiled;
import io.sallyport.document.Keys;
import io.sallyport.http.Parsed;
import io.sallyport.net.Cidr;
import io.sallyport.net.GuardedExchange;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A server, whoever plays it, with somebody who administers it, and sessions of the broker at it.
 *
 * @param address as {@code sallyport.vault.address}
 * @param root a token that may do everything
 * @param trust roots of the server's certificate; null for the system's
 * @param administrators TLS of whoever administers it
 * @param secrets the folder of {@code sallyport.secrets}
 */
record VaultFixture(
        String address,
        String root,
        @Nullable Path trust,
        SSLContext administrators,
        GuardedExchange exchange,
        Clock clock,
        Path secrets) {

    private static final JsonMapper JSON = new JsonMapper();

    JsonNode admin(String method, String path, Map<String, ?> body) {
        return admin(method, path, body, null);
    }

    JsonNode admin(String method, String path, Map<String, ?> body, @Nullable String wrapTtl) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + "/v1/" + path))
                .header("X-Vault-Token", root)
                .method(method, HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)));
        if (wrapTtl != null) {
            request.header("X-Vault-Wrap-TTL", wrapTtl);
        }
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(administrators).build()) {
            HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString(UTF_8));
            if (answer.statusCode() >= 300) {
                throw new AssertionError(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
            }
            return JSON.readTree(answer.body().isEmpty() ? "{}" : answer.body());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A policy of the role's name, and an AppRole that has it. */
    void role(String role, String... paths) {
        StringBuilder rules = new StringBuilder();
        for (String path : paths) {
            rules.append(rules.isEmpty() ? "" : ",")
                    .append("\"" + path + "\":{\"capabilities\":[\"create\",\"read\",\"update\"]}");
        }
        admin("POST", "sys/policies/acl/" + role, Map.of("policy", "{\"path\":{" + rules + "}}"));
        admin("POST", "auth/approle/role/" + role, Map.of("token_policies", List.of(role), "token_ttl", "20m"));
    }

    String roleId(String role) {
        return admin("GET", "auth/approle/role/" + role + "/role-id", Map.of())
                .path("data")
                .path("role_id")
                .asString();
    }

    String secretId(String role) {
        return admin("POST", "auth/approle/role/" + role + "/secret-id", Map.of())
                .path("data")
                .path("secret_id")
                .asString();
    }

    void secretFile(String name, String content) {
        try {
            Path file = Files.writeString(secrets.resolve(name), content);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    VaultSettings.Login appRole(String role, @Nullable String wrappedAt) {
        return VaultSettings.Login.of(
                VaultSettings.Method.APPROLE, null, null, roleId(role), "file:secret-id", wrappedAt);
    }

    /** The broker logged in as that role. */
    VaultSession as(String role) {
        secretFile("secret-id", secretId(role));
        return session(appRole(role, null));
    }

    VaultSession session(VaultSettings.Login login) {
        return session(login, null);
    }

    VaultSession session(VaultSettings.Login login, @Nullable String namespace) {
        List<Cidr> addresses = List.of(range("127.0.0.0/8"), range("10.0.0.0/8"), range("192.168.0.0/16"));
        return new VaultSession(
                new VaultSettings(URI.create(address), namespace, trust, addresses, login),
                exchange,
                new SecretFolder(secrets),
                name -> null,
                clock);
    }

    static Cidr range(String text) {
        return Cidr.parse(text) instanceof Parsed.Valid<Cidr>(Cidr range) ? range : null;
    }

    SourceTools tools(VaultSession session) {
        return new SourceTools(
                (credential, face, known) -> {
                    throw SourceFault.missing("none");
                },
                new NoRefreshTokens(),
                new Pauses(clock),
                new SecretFolder(secrets),
                name -> null,
                exchange,
                clock,
                session);
    }

    Fetched fetch(VaultSession session, Map<String, ?> document, @Nullable Object known) throws SourceFault {
        return fetch(session, document, known, false);
    }

    Fetched fetch(VaultSession session, Map<String, ?> document, @Nullable Object known, boolean rejected)
            throws SourceFault {
        try {
            return source(document).fetch(new Fetch("github", "face", known, rejected, null, tools(session)));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static SecretSource source(Map<String, ?> document) {
        Keys keys = Keys.of(document).known("kind");
        Optional<? extends SecretSource> source = VaultSource.KIND.reading().apply(keys);
        if (keys.compiled(() -> "read") instanceof Compiled.Rejected<String> rejected) {
            throw new AssertionError(rejected);
        }
        return source.orElseThrow();
    }

    static String text(Fetched fetched, String part) {
        return new String(
                ((Fetched.Given) fetched).material().part(part).orElseThrow().bytes(), UTF_8);
    }

    static String text(Fetched fetched) {
        return text(fetched, Material.SECRET);
    }
}
