package io.sallyport.credential.vault;

import io.sallyport.net.TestGuard;
import io.sallyport.testing.TestCertificates;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract, of a real server: {@code SALLYPORT_TEST_VAULT_ADDR} and {@code SALLYPORT_TEST_VAULT_TOKEN} (one that may do everything; the
 * root token of a development server), and {@code SALLYPORT_TEST_VAULT_CACERT} where the system's roots do not do. Run by
 * {@code src/test/sh/vault-contract}.
 */
@EnabledIfEnvironmentVariable(named = "SALLYPORT_TEST_VAULT_ADDR", matches = "https?://.*")
class VaultServerTest extends VaultContract {

    private static final String RUN = Long.toString(System.nanoTime(), 36);

    @TempDir
    Path folder;

    private static int number;
    private String unique = "";

    @Override
    VaultFixture server() {
        unique = RUN + "-" + number++;
        String roots = System.getenv("SALLYPORT_TEST_VAULT_CACERT");
        VaultFixture server = new VaultFixture(
                System.getenv("SALLYPORT_TEST_VAULT_ADDR"),
                System.getenv("SALLYPORT_TEST_VAULT_TOKEN"),
                roots == null ? null : Path.of(roots),
                administrators(roots),
                TestGuard.withSystemNames(),
                Clock.systemUTC(),
                folder);
        if (server.admin("GET", "sys/auth", Map.of())
                .path("data")
                .path("approle/")
                .isMissingNode()) {
            server.admin("POST", "sys/auth/approle", Map.of("type", "approle"));
        }
        return server;
    }

    private static SSLContext administrators(String roots) {
        try {
            return roots == null ? SSLContext.getDefault() : TestCertificates.trusting(Path.of(roots));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    String unique() {
        return unique;
    }

    /** Mounts go with everything in them; policies and roles of a test grant nothing any more then. */
    @AfterEach
    void tidy() {
        String used = unique;
        VaultFixture server = server();
        for (String mount : new String[] {"kv-", "old-", "transit-"}) {
            server.admin("DELETE", "sys/mounts/" + mount + used, Map.of());
        }
        for (String role : new String[] {"role-", "other-", "wrapping-"}) {
            server.admin("DELETE", "auth/approle/role/" + role + used, Map.of());
            server.admin("DELETE", "sys/policies/acl/" + role + used, Map.of());
        }
    }
}
