package io.sallyport.credential;

import io.sallyport.net.Cidr;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code sallyport.vault}: the one Vault or OpenBao server that {@code vault} sources ask, and who the broker is there. It stands in the
 * settings and not in documents: whoever may edit a document must not be able to send the broker's own login elsewhere.
 *
 * @param address without a path; null where there is no server
 * @param namespace that the login and all paths are in; null for the root one
 * @param trust PEM file of the only roots that the server is verified by; null for the system's
 * @param addresses reserved ranges that the server's name may resolve to
 * @param login how the broker proves who it is; null only where there is no server
 */
public record VaultSettings(
        @Nullable URI address,
        @Nullable String namespace,
        @Nullable Path trust,
        List<Cidr> addresses,
        @Nullable Login login) {

    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "[::1]", "localhost");

    public VaultSettings {
        addresses = List.copyOf(addresses);
        if (address == null && (namespace != null || trust != null || !addresses.isEmpty() || login != null)) {
            throw new IllegalArgumentException(
                    "sallyport.vault.address is not set, but other settings of that server are");
        }
        if (address != null) {
            checkAddress(address);
            if (login == null) {
                throw new IllegalArgumentException(
                        "sallyport.vault.auth.method is not set; allowed: token, approle, kubernetes, jwt");
            }
        }
        if (namespace != null && !namespace.matches("[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*/?")) {
            throw new IllegalArgumentException(
                    "sallyport.vault.namespace is names with / between them, as in acme/platform: " + namespace);
        }
    }

    /** No server: a document that names one is unavailable. */
    public static VaultSettings none() {
        return new VaultSettings(null, null, null, List.of(), null);
    }

    /** Plain http only where nobody can stand in between: every answer is a secret. */
    private static void checkAddress(URI address) {
        String host = String.valueOf(address.getHost()).toLowerCase(Locale.ROOT);
        boolean safe =
                "https".equals(address.getScheme()) || ("http".equals(address.getScheme()) && LOOPBACK.contains(host));
        boolean bare = address.getHost() != null
                && address.getRawUserInfo() == null
                && address.getRawQuery() == null
                && address.getRawFragment() == null
                && (address.getRawPath() == null || address.getRawPath().matches("/?"));
        if (!safe || !bare) {
            throw new IllegalArgumentException("sallyport.vault.address is https://HOST[:PORT] (http on 127.0.0.1,"
                    + " [::1] and localhost), as in https://vault.acme.internal:8200");
        }
    }

    /** How the broker logs in. */
    public enum Method {
        TOKEN("token"),
        APPROLE("approle"),
        KUBERNETES("kubernetes"),
        JWT("jwt");

        private final String mount;

        Method(String mount) {
            this.mount = mount;
        }

        /** @throws IllegalArgumentException for any other word, saying which are allowed */
        public static Method of(String name) {
            for (Method method : values()) {
                if (method.mount.equals(name)) {
                    return method;
                }
            }
            throw new IllegalArgumentException("sallyport.vault.auth.method: \"" + name
                    + "\" is unknown; allowed: token, approle, kubernetes, jwt");
        }
    }

    /**
     * @param mount where the method is mounted
     * @param role of {@link Method#KUBERNETES} and {@link Method#JWT}
     * @param roleId of {@link Method#APPROLE}
     * @param secret the token, the SecretID or the JWT: {@code file:NAME} below {@code sallyport.secrets}, {@code file:/PATH} (for a service
     *     account's token, which the platform writes), or {@code env:SALLYPORT_SECRET_…}. Read anew for each login
     * @param wrappedAt where the secret's wrapping token was made, as in {@code auth/approle/role/sallyport/secret-id}; null where the secret
     *     is not wrapped
     */
    public record Login(
            Method method,
            String mount,
            @Nullable String role,
            @Nullable String roleId,
            String secret,
            @Nullable String wrappedAt) {

        private static final String ACCOUNT = "file:/var/run/secrets/kubernetes.io/serviceaccount/token";

        public Login {
            boolean byRole = method == Method.KUBERNETES || method == Method.JWT;
            check("role", role, byRole);
            check("role-id", roleId, method == Method.APPROLE);
            if (wrappedAt != null && byRole) {
                throw new IllegalArgumentException(
                        "sallyport.vault.auth.wrapped-at is for the methods token and approle; leave it out");
            }
            boolean named = secret.startsWith("env:SALLYPORT_SECRET_")
                    || (secret.startsWith("file:") && secret.length() > "file:".length());
            if (!named) {
                throw new IllegalArgumentException(
                        "sallyport.vault.auth.secret is file:NAME (below sallyport.secrets), file:/PATH or env:SALLYPORT_SECRET_…");
            }
        }

        /** With what is usual for the method where nothing is said. */
        public static Login of(
                Method method,
                @Nullable String mount,
                @Nullable String role,
                @Nullable String roleId,
                @Nullable String secret,
                @Nullable String wrappedAt) {
            if (secret == null && method != Method.KUBERNETES) {
                throw new IllegalArgumentException("sallyport.vault.auth.secret is not set");
            }
            return new Login(
                    method,
                    mount == null ? method.mount : mount,
                    role,
                    roleId,
                    secret == null ? ACCOUNT : secret,
                    wrappedAt);
        }

        private static void check(String key, @Nullable String value, boolean needed) {
            if (needed && (value == null || value.isBlank())) {
                throw new IllegalArgumentException(
                        "sallyport.vault.auth." + key + " is not set, and the method needs it");
            }
            if (!needed && value != null) {
                throw new IllegalArgumentException(
                        "sallyport.vault.auth." + key + " has no meaning for the method; leave it out");
            }
        }
    }
}
