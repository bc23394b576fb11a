package io.sallyport.credential.source;

import io.sallyport.credential.vault.VaultSource;
import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** The kinds of source that are built, and those that documents may not use yet. */
public final class SourceKinds {

    /** One line for each: this is where a new kind is made known. */
    private static final List<SourceKind> BUILT = List.of(
            LocalSource.KIND, //
            FileSource.KIND,
            EnvironmentSource.KIND,
            VaultSource.KIND,
            AwsSecretsManagerSource.KIND,
            AwsParameterSource.KIND,
            AwsRoleSource.KIND,
            ClientCredentialsSource.KIND,
            JwtBearerSource.KIND,
            RefreshTokenSource.KIND,
            GitHubAppSource.KIND);

    private static final Set<String> RESERVED = Set.of(
            "vault",
            "aws-secrets-manager",
            "aws-ssm",
            "aws-sts",
            "gcp-secret-manager",
            "azure-key-vault",
            "oauth-client-credentials",
            "oauth-refresh-token",
            "oauth-jwt-bearer",
            "github-app");

    private static final Form<SourceKind> KIND = kinds();

    private SourceKinds() {}

    /** The {@code source} of a credential document; empty where a problem has been noted. */
    public static Optional<SecretSource> read(Keys keys) {
        return keys.required("kind", KIND)
                .flatMap(kind -> kind.reading().apply(keys).map(Function.identity()));
    }

    private static Form<SourceKind> kinds() {
        Map<String, SourceKind> built = new LinkedHashMap<>();
        BUILT.forEach(kind -> built.put(kind.name(), kind));
        Set<String> reserved = new TreeSet<>(RESERVED);
        reserved.removeAll(built.keySet());
        return Forms.oneOf(built, reserved);
    }
}
