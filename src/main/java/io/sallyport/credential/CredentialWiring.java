package io.sallyport.credential;

import io.sallyport.credential.kms.KmsKeeper;
import io.sallyport.credential.source.Fetching;
import io.sallyport.credential.source.Pauses;
import io.sallyport.credential.source.RefreshTokens;
import io.sallyport.credential.source.Revocations;
import io.sallyport.credential.source.SecretFolder;
import io.sallyport.credential.source.SourceTools;
import io.sallyport.credential.vault.VaultKeeper;
import io.sallyport.credential.vault.VaultSession;
import io.sallyport.credential.vault.VaultTransit;
import io.sallyport.grant.Grants;
import io.sallyport.grant.TaskTokens;
import io.sallyport.grant.TwoClocks;
import io.sallyport.net.GuardedExchange;
import io.sallyport.store.Readers;
import io.sallyport.store.Seal;
import io.sallyport.store.SealedColumn;
import io.sallyport.store.Writer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

@Configuration(proxyBeanMethods = false)
class CredentialWiring {

    @Bean
    SecretFolder secretFolder(CredentialSettings settings) throws IOException {
        SecretFolder folder = new SecretFolder(settings.secrets());
        Path open = folder.openToOthers();
        if (open != null) {
            throw new IllegalStateException("sallyport.secrets: " + open
                    + " can be read or written by other users of this machine; take that from them with: chmod o-rwx "
                    + open);
        }
        return folder;
    }

    @Bean
    static SealedColumn sealedLocalSecrets() {
        return JdbcLocalSecrets.SEALED;
    }

    @Bean
    static SealedColumn sealedRefreshTokens() {
        return JdbcRefreshTokens.SEALED_REFRESH;
    }

    @Bean
    static SealedColumn sealedAccessTokens() {
        return JdbcRefreshTokens.SEALED_ACCESS;
    }

    @Bean
    JdbcLocalSecrets localSecrets(Readers readers, Seal seal, Clock clock) {
        return new JdbcLocalSecrets(readers, seal, clock);
    }

    @Bean
    VaultSession vaultSession(VaultSettings settings, SecretFolder folder, GuardedExchange client, Clock clock) {
        return new VaultSession(settings, client, folder, System::getenv, clock);
    }

    @Bean
    VaultTransit vaultTransit(VaultSession session) {
        return new VaultTransit(session);
    }

    @Bean
    KmsKeeper kmsKeeper(KmsSettings settings, GuardedExchange client, SecretFolder folder) {
        return new KmsKeeper(settings, client, folder, System::getenv);
    }

    @Bean
    VaultKeeper vaultKeeper(VaultSession session) {
        return new VaultKeeper(session);
    }

    @Bean
    RefreshTokens refreshTokens(Readers readers, Writer writer, Seal seal, Clock clock) {
        return new JdbcRefreshTokens(readers, writer, seal, clock);
    }

    @Bean
    SourceTools sourceTools(
            SecretFolder folder,
            JdbcLocalSecrets local,
            RefreshTokens refreshTokens,
            GuardedExchange client,
            Clock clock,
            VaultSession vault) {
        return new SourceTools(local, refreshTokens, new Pauses(clock), folder, System::getenv, client, clock, vault);
    }

    /** Not a bean of its own: an executor would take the place of the one that Spring Boot makes where there is none. */
    @Bean
    SourceThreads sourceThreads() {
        return new SourceThreads();
    }

    @Bean
    WarmSecrets warmSecrets(
            SourceTools tools, SourceThreads threads, JdbcLocalSecrets local, Clock clock, LongSupplier nanos) {
        Revocations revocations = new Revocations(tools, threads.network(), nanos);
        Fetching fetching = new Fetching(threads.disk(), threads.network(), revocations, nanos);
        WarmSecrets warm = new WarmSecrets(
                tools,
                fetching,
                revocations,
                new TwoClocks(clock, nanos),
                () -> ThreadLocalRandom.current().nextDouble());
        local.onPut(warm::doubt);
        return warm;
    }

    @Bean
    JdbcPlaces places(Writer writer, Readers readers, Clock clock, CredentialSettings settings) {
        return new JdbcPlaces(writer, readers, clock, settings.confirmPlaces());
    }

    /** What other rooms are given. */
    @Bean
    @Primary
    Leases checkedLeases(CredentialLeases leases, JdbcPlaces places) {
        return new CheckedLeases(leases, places);
    }

    @Bean
    TokenMarks tokenMarks(TaskTokens tokens) {
        return new TokenMarks(tokens);
    }

    @Bean
    CredentialLeases leases(WarmSecrets warm, Grants grants, Clock clock, SourceThreads threads) {
        CredentialLeases leases = new CredentialLeases(warm, grants, clock);
        threads.everySecond(leases::tick);
        return leases;
    }

    @Bean
    GivingBack givingBack(WarmSecrets warm) {
        return new GivingBack(warm);
    }
}
