package io.sallyport.credential.vault;

import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.Revoker;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.credential.source.SourceTools;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A secret that the server made and will end.
 *
 * @param login whose token it was leased under: it ends with that
 * @param lives as the server first said
 */
record VaultLease(@Nullable String namespace, String id, Object login, Duration lives, boolean renewable)
        implements Revoker {

    /** Less than this share of its first life means that its longest life is near: a new one is needed. */
    private static final int SHARE = 2;

    /** Empty where it can't live on: the token that it hangs on has been replaced, its longest life is over, or the server knows it no more. */
    Optional<Fetched> renewed(VaultSession session) throws SourceFault, InterruptedException {
        if (!renewable || !session.token().login().equals(login)) {
            return Optional.empty();
        }
        VaultSession.Asked asked = session.ask(
                namespace,
                api -> api.write("sys/leases/renew", Map.of("lease_id", id, "increment", lives.toSeconds())));
        VaultAnswer answer = asked.answer();
        if (answer.status() >= 500 || answer.status() == 429) {
            throw VaultFaults.of(answer.status(), "a lease", "update on sys/leases/renew");
        }
        Duration longer = Duration.ofSeconds(VaultAnswer.number(answer.body(), "lease_duration"));
        boolean enough = longer.multipliedBy(SHARE).compareTo(lives) > 0;
        return answer.ok() && enough && asked.token().login().equals(login)
                ? Optional.of(new Fetched.Unchanged(shorter(longer, session.left(asked.token()))))
                : Optional.empty();
    }

    static Duration shorter(Duration one, Duration other) {
        Duration least = one.compareTo(other) < 0 ? one : other;
        return least.isPositive() ? least : Duration.ofSeconds(1);
    }

    @Override
    public void revoke(SourceTools tools) throws SourceFault, InterruptedException {
        VaultAnswer answer = tools.vault()
                .ask(namespace, api -> api.write("sys/leases/revoke", Map.of("lease_id", id)))
                .answer();
        if (answer.status() == 400 || answer.status() == 404) {
            throw SourceFault.missing("Vault knows the lease no more");
        }
        if (!answer.ok()) {
            throw VaultFaults.of(answer.status(), "the end of a lease", "update on sys/leases/revoke");
        }
    }

    /** Without the id: whoever may revoke leases could use it. */
    @Override
    public String toString() {
        return "VaultLease[" + lives + "]";
    }
}
