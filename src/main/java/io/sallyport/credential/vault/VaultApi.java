package io.sallyport.credential.vault;

import io.github.jopenlibs.vault.EnvironmentLoader;
import io.github.jopenlibs.vault.Vault;
import io.github.jopenlibs.vault.VaultConfig;
import io.github.jopenlibs.vault.VaultException;
import io.github.jopenlibs.vault.api.Auth;
import io.github.jopenlibs.vault.api.Logical;
import io.github.jopenlibs.vault.rest.RestResponse;
import io.sallyport.credential.source.SourceFault;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The driver for one token and one namespace. It makes no retries (the cache decides when to ask again), reads nothing of the environment
 * and of the user's home, and dials through the client that it is handed. Of its verbs only those are used that do: its verbs for leases make a
 * client of their own.
 */
final class VaultApi {

    /** What the driver would look up by itself: the broker's settings say it, or it is not so. */
    private static final class NoEnvironment extends EnvironmentLoader {

        private static final long serialVersionUID = 1;

        @Override
        @SuppressWarnings("NullAway") // the driver's own contract: null for a variable that is not set
        public String loadVariable(String name) {
            return null;
        }
    }

    private final URI address;
    private final @Nullable String token;
    private final @Nullable String namespace;
    private final HttpClient http;

    VaultApi(URI address, @Nullable String token, @Nullable String namespace, HttpClient http) {
        this.address = address;
        this.token = token;
        this.namespace = namespace;
        this.http = http;
    }

    private interface Call {
        RestResponse run(Vault vault) throws VaultException;
    }

    VaultAnswer read(String path) throws SourceFault, InterruptedException {
        return call(1, 1, vault -> logical(vault).read(path).getRestResponse());
    }

    /**
     * A secret of a versioned key-value engine.
     *
     * @param depth how many segments of the path are the mount's
     * @param version 0 for the newest
     */
    VaultAnswer readVersioned(String path, int depth, int version) throws SourceFault, InterruptedException {
        return call(
                2,
                depth,
                vault -> (version == 0
                                ? logical(vault).read(path)
                                : logical(vault).read(path, true, version))
                        .getRestResponse());
    }

    VaultAnswer write(String path, Map<String, Object> fields) throws SourceFault, InterruptedException {
        return call(1, 1, vault -> logical(vault).write(path, fields).getRestResponse());
    }

    VaultAnswer loginByAppRole(String mount, String roleId, String secretId) throws SourceFault, InterruptedException {
        return call(
                1,
                1,
                vault -> auth(vault).loginByAppRole(mount, roleId, secretId).getRestResponse());
    }

    /** The Kubernetes method has the same form. */
    VaultAnswer loginByJwt(String mount, String role, String jwt) throws SourceFault, InterruptedException {
        return call(
                1,
                1,
                vault -> auth(vault)
                        .loginByJwt(mount, role, jwt, "auth/" + mount)
                        .getRestResponse());
    }

    VaultAnswer renewSelf() throws SourceFault, InterruptedException {
        return call(1, 1, vault -> auth(vault).renewSelf().getRestResponse());
    }

    private VaultAnswer call(int engine, int depth, Call call) throws SourceFault, InterruptedException {
        try {
            return VaultAnswer.of(call.run(Vault.create(config(depth), engine)));
        } catch (VaultException e) {
            if (e.getHttpStatusCode() > 0) {
                return VaultAnswer.bare(e.getHttpStatusCode());
            }
            if (interrupted(e)) {
                throw new InterruptedException();
            }
            throw VaultFaults.unreachable(e);
        }
    }

    private VaultConfig config(int depth) throws VaultException {
        VaultConfig config = new VaultConfig()
                .environmentLoader(new NoEnvironment())
                .address(withoutSlash(address.toString()))
                .prefixPathDepth(depth)
                .httpClient(http);
        if (token != null) {
            config.token(token);
        }
        return config.build();
    }

    /** Said with each operation and not in the configuration, where the driver tells the log of it each time. */
    private Logical logical(Vault vault) {
        return namespace == null ? vault.logical() : vault.logical().withNameSpace(namespace);
    }

    private Auth auth(Vault vault) {
        return namespace == null ? vault.auth() : vault.auth().withNameSpace(namespace);
    }

    private static String withoutSlash(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    private static boolean interrupted(Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof InterruptedException) {
                return true;
            }
        }
        return Thread.interrupted();
    }

    @Override
    public String toString() {
        return "VaultApi[" + address + ", " + Objects.requireNonNullElse(namespace, "") + "]";
    }
}
