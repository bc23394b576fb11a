package io.sallyport.credential.source;

import io.sallyport.credential.vault.VaultSession;
import io.sallyport.net.GuardedExchange;
import java.time.Clock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What sources may use of the broker: a source is compiled where there is no broker yet, so it is handed this with each question.
 *
 * @param local what persons have written in
 * @param refreshTokens the newest of each that a person began
 * @param pauses servers that have asked to be left alone for a while
 * @param files the folder of {@code sallyport.secrets}
 * @param environment a variable's value by its name, null for one that is not set
 * @param client for every call that leaves the broker
 * @param clock the wall's
 * @param vault the broker's session at the Vault server of the settings; one without a server says so when it is asked
 */
public record SourceTools(
        LocalReader local,
        RefreshTokens refreshTokens,
        Pauses pauses,
        SecretFolder files,
        UnaryOperator<@Nullable String> environment,
        GuardedExchange client,
        Clock clock,
        VaultSession vault) {

    /** Reads what persons have written in. */
    @FunctionalInterface
    public interface LocalReader {

        /** @param face what it must have been sealed together with; @param known the stamp of what is held, or null */
        Fetched read(String credential, String face, @Nullable Object known) throws SourceFault;
    }
}
