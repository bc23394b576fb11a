package io.sallyport.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The published list of actions that hand out credentials where the path says nothing: those of AWS' query protocol ({@code Action=…}, in a
 * query or a form), and of its JSON protocol ({@code X-Amz-Target: Service.Action}).
 */
public final class CredentialActions {

    /** The parameter's name. */
    public static final String PARAMETER = "Action";

    /** The field's name. */
    public static final String FIELD = "X-Amz-Target";

    private static final List<String> NAMES = List.of(
            "AdminInitiateAuth",
            "AdminRespondToAuthChallenge",
            "AssumeRole",
            "AssumeRoleWithSAML",
            "AssumeRoleWithWebIdentity",
            "AssumeRoot",
            "CreateAccessKey",
            "CreateLoginProfile",
            "CreateServiceSpecificCredential",
            "CreateVirtualMFADevice",
            "GetAuthorizationToken",
            "GetCredentialsForIdentity",
            "GetDelegatedAccessToken",
            "GetFederationToken",
            "GetOpenIdToken",
            "GetOpenIdTokenForDeveloperIdentity",
            "GetSessionToken",
            "GetTokensFromRefreshToken",
            "GetWebIdentityToken",
            "InitiateAuth",
            "ResetServiceSpecificCredential",
            "RespondToAuthChallenge",
            "UpdateLoginProfile",
            "UploadSSHPublicKey",
            "UploadSigningCertificate");

    private static final FoldedNames KNOWN = FoldedNames.of(NAMES);

    private CredentialActions() {}

    /** Sorted, as published. */
    public static List<String> names() {
        return NAMES;
    }

    /** The listed action that this value is, in any spelling; empty for none. */
    public static Optional<String> named(String value) {
        return Optional.ofNullable(KNOWN.find(value));
    }

    /** The listed actions among a query's values of {@code Action}. */
    public static List<String> in(Target target) {
        String query = target.query();
        if (query == null || !query.contains("=")) {
            return List.of();
        }
        List<String> found = List.of();
        QueryNames parameters = new QueryNames(query);
        while (parameters.advance()) {
            String name = parameters.plainName();
            if (FoldedNames.same(PARAMETER, name, 0, name.length())) {
                int from = Math.min(parameters.nameEnd() + 1, parameters.end());
                Optional<String> action = named(PathReadings.decoded(query.substring(from, parameters.end())));
                if (action.isPresent()) {
                    found = found.isEmpty() ? new ArrayList<>(2) : found;
                    found.add(action.get());
                }
            }
        }
        return found;
    }

    /** The listed action in a request's fields; empty for none. */
    public static Optional<String> in(Fields fields) {
        for (Field line : fields) {
            if (FoldedNames.same(FIELD, line.name(), 0, line.name().length())) {
                Optional<String> action =
                        named(line.value().substring(line.value().lastIndexOf('.') + 1));
                if (action.isPresent()) {
                    return action;
                }
            }
        }
        return Optional.empty();
    }
}
