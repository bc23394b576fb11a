package io.sallyport.credential.vault;

import io.sallyport.credential.source.SourceFault;
import java.io.IOException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;

/** What the server's answers mean for whoever waits for a secret. See Vault's HTTP API, "HTTP status codes". */
final class VaultFaults {

    private VaultFaults() {}

    /**
     * Of an answer that is no success.
     *
     * @param what was asked for, as in {@code kv/agents/github}
     * @param needed what the policy has to allow, for a 403
     */
    static SourceFault of(int status, String what, String needed) {
        return switch (status) {
            case 403 ->
                SourceFault.denied("Vault refuses " + what + " (403): the policies of the broker's login need " + needed
                        + ", in the namespace that the settings and the document name");
            case 404 -> SourceFault.missing("Vault has nothing at " + what + " (404)");
            case 429 -> SourceFault.down("Vault asks for fewer requests, or a standby answered (429)");
            case 472, 473 ->
                SourceFault.down("a standby of Vault answered (" + status
                        + "); sallyport.vault.address is to name what leads to the active server");
            case 412 -> SourceFault.down("Vault has not caught up with its own last change (412)");
            case 503 -> SourceFault.down("Vault is sealed or under maintenance (503)");
            default -> other(status, what);
        };
    }

    private static SourceFault other(int status, String what) {
        if (status >= 300 && status < 400) {
            return SourceFault.down("Vault answers with a redirect (" + status
                    + "), which is not followed; sallyport.vault.address is to name what leads to the active server");
        }
        return status >= 500
                ? SourceFault.down("Vault failed (" + status + ")")
                : SourceFault.bad("Vault can't do that with " + what + " (" + status
                        + "): see whether the engine and the role in its path exist");
    }

    /** No answer. The guard's own words are ours; of anything else only the type is told. */
    static SourceFault unreachable(Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            switch (at) {
                case UnknownHostException guard -> {
                    return SourceFault.down("Vault can't be reached: " + guard.getMessage());
                }
                case SSLException tls -> {
                    return SourceFault.down(
                            "Vault's certificate is not one that sallyport.vault.trust (or the system) vouches for, or TLS failed otherwise ("
                                    + tls.getClass().getSimpleName() + ")");
                }
                case IOException io -> {
                    return SourceFault.down(
                            "Vault can't be reached (" + io.getClass().getSimpleName() + ")");
                }
                default -> {}
            }
        }
        return SourceFault.bad(
                "Vault's answer can't be read (" + thrown.getClass().getSimpleName() + ")");
    }

    /** The same fault, of the broker's own login. */
    static SourceFault ofLogin(SourceFault fault, String about) {
        String cause = about + ": " + fault.cause();
        return switch (fault.kind()) {
            case MISSING -> SourceFault.missing(cause);
            case DENIED -> SourceFault.denied(cause);
            case DOWN -> SourceFault.down(cause);
            case BAD -> SourceFault.bad(cause);
        };
    }
}
