package io.sallyport.credential;

import io.sallyport.credential.injection.Injection;
import io.sallyport.credential.source.Fetch;
import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.Fetching;
import io.sallyport.credential.source.Material;
import io.sallyport.credential.source.Pauses;
import io.sallyport.credential.source.Revocations;
import io.sallyport.credential.source.SecretFolder;
import io.sallyport.credential.source.SecretSource;
import io.sallyport.credential.source.SecretValue;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.credential.source.SourceTools;
import io.sallyport.credential.vault.VaultSession;
import io.sallyport.grant.TwoClocks;
import io.sallyport.net.GuardedExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What sources are handed in tests, and what they answered as a text. */
final class TestSources {

    private TestSources() {}

    static SourceTools tools(SourceTools.LocalReader local) {
        return tools(local, Path.of("no-such-folder"), name -> null);
    }

    static SourceTools tools(SourceTools.LocalReader local, Path folder, UnaryOperator<@Nullable String> environment) {
        return new SourceTools(
                local,
                new NoRefreshTokens(),
                new Pauses(Clock.systemUTC()),
                new SecretFolder(folder),
                environment,
                request -> {
                    throw new IOException("no call was expected");
                },
                Clock.systemUTC(),
                noVault());
    }

    /** A session without a server. */
    static VaultSession noVault() {
        return new VaultSession(
                VaultSettings.none(),
                request -> {
                    throw new IOException("no call was expected");
                },
                new SecretFolder(Path.of("no-such-folder")),
                name -> null,
                Clock.systemUTC());
    }

    /** @param disk takes what asks sources on this machine; others have a thread each. The wall stands still */
    static WarmSecrets warm(SourceTools tools, Executor disk, LongSupplier nanos) {
        Executor network = task -> Thread.ofVirtual().start(task);
        Revocations revocations = new Revocations(tools, network, nanos);
        TwoClocks clocks = new TwoClocks(Clock.fixed(Instant.parse("2026-12-01T10:00:00Z"), ZoneOffset.UTC), nanos);
        return new WarmSecrets(tools, new Fetching(disk, network, revocations, nanos), revocations, clocks, () -> 0);
    }

    /** A bearer credential with a source of the test's own. */
    static CompiledCredential credential(String name, SecretSource source) {
        var document = (CompiledCredential) TestCredentials.compiled(Map.of("kind", "local"), TestCredentials.BEARER);
        return new CompiledCredential(
                name, document.destinations(), document.blastRadius(), source, document.injection(), Optional.empty());
    }

    /** For sources that call somebody, who answers as the test says. */
    static SourceTools tools(
            GuardedExchange server, Clock clock, Path folder, UnaryOperator<@Nullable String> environment) {
        return new SourceTools(
                (credential, face, known) -> {
                    throw new AssertionError("nothing written in was expected");
                },
                new NoRefreshTokens(),
                new Pauses(clock),
                new SecretFolder(folder),
                environment,
                server,
                clock,
                noVault());
    }

    static Fetch fetch(Credential credential, @Nullable Object known, SourceTools tools) {
        CompiledCredential compiled = (CompiledCredential) credential;
        return new Fetch(compiled.name(), compiled.faceDigest(), known, false, null, tools);
    }

    static Fetched fetched(Credential credential, @Nullable Object known, SourceTools tools) throws SourceFault {
        try {
            return ((CompiledCredential) credential).source().fetch(fetch(credential, known, tools));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The secret, {@code unchanged}, or {@code failed: } and why it can't be used. */
    static String text(Credential credential, @Nullable Object known, SourceTools tools) {
        try {
            return switch (fetched(credential, known, tools)) {
                case Fetched.Unchanged unchanged -> "unchanged";
                case Fetched.Unfit(var ignored, SourceFault fault) -> throw fault;
                case Fetched.Given given -> text(given.material(), ((CompiledCredential) credential).injection());
            };
        } catch (SourceFault fault) {
            return "failed: " + fault.cause();
        }
    }

    private static String text(Material material, Injection injection) {
        String problem = HeldSecret.problem(material, injection);
        SecretValue secret = material.part(Material.SECRET).orElseThrow();
        return problem == null ? new String(secret.bytes(), StandardCharsets.US_ASCII) : "failed: " + problem;
    }
}
