package io.sallyport.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The published list of endpoints whose answers are fresh credentials, or that take a key which admits whoever holds its other half: such a
 * credential lives on after the task, and no revocation here ends it. What is asked is the end of a path, so that the list holds for a
 * vendor's own host as for one that a company runs below a path of its own.
 */
public final class CredentialEndpoints {

    private static final List<String> LINES = List.of(
            // OAuth 2 (RFC 6749 section 3.2) and its kin. GET too, where vendors take it.
            "POST **/token",
            "POST **/tokens",
            "GET,HEAD **/oauth/token",
            "GET,HEAD **/oauth2/token",
            "GET,HEAD **/oauth/access_token",
            "POST **/access_token",
            "POST **/oauth/authorizations",
            // Signing in.
            "POST **/login",
            "POST **/signin",
            "POST **/_session",
            "POST **/api/session",
            // Registries: the token service of a Docker registry, of GitLab's; npm; PyPI.
            "GET,HEAD **/token?service",
            "GET,HEAD **/jwt/auth",
            "PUT **/-/user/org.couchdb.user:*",
            "POST **/_/oidc/mint-token",
            // GitHub.
            "POST **/app/installations/*/access_tokens",
            "POST **/app-manifests/*/conversions",
            "PATCH **/applications/*/token",
            "POST **/applications/*/token/scoped",
            "POST **/authorizations",
            "PUT **/authorizations/clients/*",
            "POST **/user/keys",
            "POST **/user/gpg_keys",
            "POST **/user/ssh_signing_keys",
            "POST **/repos/*/*/keys",
            "POST **/actions/runners/registration-token",
            "POST **/actions/runners/remove-token",
            "POST **/actions/runners/generate-jitconfig",
            "GET,HEAD **/copilot_internal/v2/token",
            // GitLab.
            "POST **/personal_access_tokens",
            "POST **/impersonation_tokens",
            "POST **/deploy_tokens",
            "POST **/deploy_keys",
            "POST **/users/*/keys",
            "POST **/personal_access_tokens/*/rotate",
            "POST **/access_tokens/*/rotate",
            "POST **/projects/*/triggers",
            "POST **/user/runners",
            "POST **/reset_registration_token",
            "POST **/reset_authentication_token",
            // Slack.
            "GET,HEAD,POST **/oauth.access",
            "GET,HEAD,POST **/oauth.v2.access",
            "GET,HEAD,POST **/oauth.v2.exchange",
            "GET,HEAD,POST **/openid.connect.token",
            "GET,HEAD,POST **/tooling.tokens.rotate",
            "GET,HEAD,POST **/apps.connections.open",
            "GET,HEAD,POST **/rtm.connect",
            "GET,HEAD,POST **/rtm.start",
            // Model APIs: keys for a browser, keys of an organisation.
            "POST **/client_secrets",
            "POST **/realtime/sessions",
            "POST **/realtime/transcription_sessions",
            "POST **/admin_api_keys",
            "POST **/service_accounts",
            // Stripe.
            "POST **/ephemeral_keys",
            "POST **/connection_tokens",
            "POST **/account_sessions",
            "POST **/v1/webhook_endpoints",
            // Google Cloud.
            "POST **/*:generateAccessToken",
            "POST **/*:generateIdToken",
            "POST **/*:signJwt",
            "POST **/*:signBlob",
            "POST **/serviceAccounts/*/keys",
            "POST **/locations/*/keys",
            "GET,HEAD **/keys/*/keyString",
            // AWS, beside the actions of its query protocol: S3 Express, Identity Center, CodeArtifact.
            "GET,HEAD /?session",
            "GET,HEAD **/federation/credentials",
            "POST **/authorization-token",
            // Azure.
            "POST **/listKeys",
            "POST **/listCredentials",
            "POST **/listAccountSas",
            "POST **/listServiceSas",
            "POST **/regenerateKey",
            "POST **/regenerateKeys",
            "POST **/regenerateCredential",
            "POST **/addPassword",
            "POST **/addKey",
            // Vault and OpenBao, Kubernetes, Elasticsearch, Terraform.
            "POST,PUT **/auth/token/create",
            "POST,PUT **/auth/*/login/*",
            "POST,PUT **/sys/wrapping/unwrap",
            "POST **/certificatesigningrequests",
            "POST,PUT **/_security/api_key",
            "POST **/authentication-token",
            "POST **/authentication-tokens",
            // Anybody's.
            "POST **/api_key",
            "POST **/api_keys",
            "POST **/api-tokens",
            "POST **/access_key",
            "POST **/access_keys",
            "POST **/application_keys",
            "POST **/auth/keys");

    /** Last segments of POST requests, in the same sense: {@code /create_api_key}. Folded. */
    private static final List<String> ENDINGS = List.of(
            "apikey", "apikeys", "accesstoken", "accesstokens", "accesskey", "accesskeys", "authtoken", "refreshtoken");

    private static final CredentialEndpoint BY_ENDING = CredentialEndpoint.of("POST **/…");
    private static final List<CredentialEndpoint> ALL =
            LINES.stream().map(CredentialEndpoint::of).toList();
    private static final FoldedNames LAST = FoldedNames.of(
            ALL.stream()
                    .map(CredentialEndpoint::lookedUpBy)
                    .filter(name -> name != null && !name.isEmpty())
                    .distinct()
                    .toList(),
            ENDINGS);
    private static final Map<String, List<CredentialEndpoint>> BY_LAST = byLast();

    private CredentialEndpoints() {}

    /** What was found of a request. */
    public static final class Found {
        private final CredentialEndpoint endpoint;
        private final String line;

        private Found(CredentialEndpoint endpoint, String line) {
            this.endpoint = endpoint;
            this.line = line;
        }

        /** The list's line, as published. */
        public String line() {
            return line;
        }

        /** Whether a pattern says the endpoint in so many words; one that merely covers it does not. */
        public boolean isNamedBy(AllowPattern pattern) {
            return endpoint.isNamedBy(pattern.segments());
        }
    }

    /** Whether some reading of the target is such an endpoint: as with {@code never}, an origin might read it that way. */
    public static Optional<Found> find(String method, Target target) {
        String path = target.path();
        if (path.indexOf('%') < 0 && path.indexOf(';') < 0) {
            return Optional.ofNullable(find(method, path, target.query()));
        }
        for (PathReadings.Reading reading : PathReadings.of(target).all()) {
            Found found = find(method, reading.path(), target.query());
            if (found != null) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    /** The first line of the list that a pattern says in so many words; empty for none. For whoever writes a policy: it allows what is listed. */
    public static Optional<String> saidBy(AllowPattern pattern) {
        StringBuilder path = new StringBuilder();
        for (PatternSegment segment : pattern.segments()) {
            path.append('/')
                    .append(
                            switch (segment) {
                                case PatternSegment.Literal(String text) -> text;
                                case PatternSegment.Partial(String prefix, String suffix) -> prefix + "x" + suffix;
                                case PatternSegment.Any _, PatternSegment.Rest _ -> "x";
                            });
        }
        return pattern.methods().stream()
                .sorted()
                .flatMap(method -> find(method, new Target(path.toString(), "service=x", null)).stream())
                .filter(found -> found.isNamedBy(pattern))
                .map(Found::line)
                .findFirst();
    }

    /** The published lines, in order. */
    public static List<String> lines() {
        return LINES;
    }

    /** What the last segment of a POST's path ends in, without separators. */
    public static List<String> endings() {
        return ENDINGS;
    }

    private static @Nullable Found find(String method, String path, @Nullable String query) {
        int to = path.length();
        while (to > 1 && path.charAt(to - 1) == '/') {
            to--;
        }
        int from = path.lastIndexOf('/', to - 1) + 1;
        to = withoutExtension(path, from, to);
        if (from >= to) {
            return among(BY_LAST.getOrDefault("", List.of()), method, List.of(), query);
        }
        Found found = null;
        int colon = path.lastIndexOf(':', to - 1);
        if (colon >= from) {
            int first = path.indexOf(':', from);
            found = lastIs(LAST.find(path, colon, to), method, path, to, query);
            found = found == null ? lastIs(LAST.find(path, from, first + 1), method, path, to, query) : found;
        }
        if (found == null) {
            found = lastIs(LAST.find(path, from, to), method, path, to, query);
        }
        if (found == null) {
            found = among(BY_LAST.getOrDefault("", List.of()), method, segments(path, to), query);
        }
        return found;
    }

    private static @Nullable Found lastIs(
            @Nullable String last, String method, String path, int to, @Nullable String query) {
        if (last == null) {
            return null;
        }
        if (last.startsWith("…")) {
            return method.equals("POST") ? new Found(BY_ENDING, "POST **/" + last) : null;
        }
        Found found = among(BY_LAST.getOrDefault(last, List.of()), method, segments(path, to), query);
        // A listed name may have a listed ending too, and the line want more than the ending does.
        return found == null && method.equals("POST") && ending(last)
                ? new Found(BY_ENDING, "POST **/…" + last)
                : found;
    }

    private static boolean ending(String last) {
        for (String ending : ENDINGS) {
            if (FoldedNames.endsIn(last, ending)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Found among(
            List<CredentialEndpoint> endpoints, String method, List<String> segments, @Nullable String query) {
        for (CredentialEndpoint endpoint : endpoints) {
            if (endpoint.matches(method, segments, query)) {
                return new Found(endpoint, endpoint.toString());
            }
        }
        return null;
    }

    /** Frameworks that choose a format by the name's end answer the same endpoint there. */
    private static int withoutExtension(String path, int from, int to) {
        for (String extension : List.of(".json", ".xml")) {
            int length = extension.length();
            if (to - from > length && path.regionMatches(true, to - length, extension, 0, length)) {
                return to - length;
            }
        }
        return to;
    }

    /** Those that are not empty: runs of slashes are one to many. */
    private static List<String> segments(String path, int to) {
        List<String> segments = new ArrayList<>(8);
        int at = 1;
        while (at < to) {
            int slash = path.indexOf('/', at);
            int end = slash < 0 || slash > to ? to : slash;
            if (end > at) {
                segments.add(path.substring(at, end));
            }
            at = end + 1;
        }
        return segments;
    }

    private static Map<String, List<CredentialEndpoint>> byLast() {
        Map<String, List<CredentialEndpoint>> found = new HashMap<>();
        for (CredentialEndpoint endpoint : ALL) {
            String last = endpoint.lookedUpBy();
            found.computeIfAbsent(last == null ? "" : last, _ -> new ArrayList<>())
                    .add(endpoint);
        }
        // Two spellings of one name are one entry of the table, whichever came first.
        Map<String, List<CredentialEndpoint>> merged = new HashMap<>();
        found.keySet()
                .forEach(name -> merged.put(
                        name,
                        found.entrySet().stream()
                                .filter(other -> FoldedNames.same(
                                        name, other.getKey(), 0, other.getKey().length()))
                                .flatMap(other -> other.getValue().stream())
                                .toList()));
        return Map.copyOf(merged);
    }
}
