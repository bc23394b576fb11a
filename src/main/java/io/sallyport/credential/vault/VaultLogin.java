package io.sallyport.credential.vault;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.jopenlibs.vault.json.JsonObject;
import io.sallyport.credential.VaultSettings;
import io.sallyport.credential.source.SecretFolder;
import io.sallyport.credential.source.SourceFault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Proves at the server who the broker is. What it proves that with is read anew each time, so a file that is replaced (a projected service
 * account token is, each hour) counts from the next login on. Not for several threads at a time.
 */
final class VaultLogin {

    private static final int LONGEST = 16 * 1024;
    private static final String OWN = "the broker's login at Vault (sallyport.vault.auth)";

    private final VaultSettings.Login login;
    private final SecretFolder files;
    private final UnaryOperator<@Nullable String> environment;
    private final Function<@Nullable String, VaultApi> api;
    private final Clock clock;

    /** A digest of the wrapping token that was opened, and what was in it: it opens once, and a login may be needed again. */
    private byte @Nullable [] opened;

    private String content = "";

    /** @param api the driver for a token, or for none */
    VaultLogin(
            VaultSettings.Login login,
            SecretFolder files,
            UnaryOperator<@Nullable String> environment,
            Function<@Nullable String, VaultApi> api,
            Clock clock) {
        this.login = login;
        this.files = files;
        this.environment = environment;
        this.api = api;
        this.clock = clock;
    }

    /** Whether the broker made the token itself, and so ends it when it stops. */
    boolean makes() {
        return login.method() != VaultSettings.Method.TOKEN;
    }

    VaultToken token() throws SourceFault, InterruptedException {
        try {
            String secret = secret();
            if (login.wrappedAt() != null) {
                secret = unwrapped(secret, login.wrappedAt());
            }
            return makes() ? exchanged(secret) : given(secret);
        } catch (SourceFault fault) {
            throw VaultFaults.ofLogin(fault, OWN);
        }
    }

    private VaultToken given(String token) throws SourceFault, InterruptedException {
        VaultAnswer answer = api.apply(token).read("auth/token/lookup-self");
        if (answer.status() == 403) {
            throw SourceFault.denied(
                    "Vault does not know the token, or its policies lack read on auth/token/lookup-self (403)");
        }
        if (!answer.ok()) {
            throw VaultFaults.of(answer.status(), "auth/token/lookup-self", "read on it");
        }
        JsonObject data = answer.object("data");
        return VaultToken.of(
                token,
                new Object(),
                clock.instant(),
                VaultAnswer.number(data, "ttl"),
                VaultAnswer.flag(data, "renewable"));
    }

    private VaultToken exchanged(String secret) throws SourceFault, InterruptedException {
        VaultApi nobody = api.apply(null);
        VaultAnswer answer = switch (login.method()) {
            case APPROLE -> nobody.loginByAppRole(login.mount(), String.valueOf(login.roleId()), secret);
            case KUBERNETES, JWT -> nobody.loginByJwt(login.mount(), String.valueOf(login.role()), secret);
            case TOKEN -> throw new IllegalStateException("a token is not exchanged");
        };
        JsonObject auth = answer.object("auth");
        String token = VaultAnswer.text(auth, "client_token");
        if (answer.status() == 400 || answer.status() == 403) {
            throw SourceFault.denied("Vault refuses it (" + answer.status() + "): see whether " + proof()
                    + " are right and have not ended, and whether the method is mounted at auth/" + login.mount());
        }
        if (!answer.ok()) {
            throw VaultFaults.of(answer.status(), "auth/" + login.mount() + "/login", "nothing");
        }
        if (token.isEmpty()) {
            throw SourceFault.bad("Vault's answer has no token");
        }
        return VaultToken.of(
                token,
                new Object(),
                clock.instant(),
                VaultAnswer.number(auth, "lease_duration"),
                VaultAnswer.flag(auth, "renewable"));
    }

    private String proof() {
        return login.method() == VaultSettings.Method.APPROLE
                ? "role-id and SecretID"
                : "the role " + login.role() + ", its bound audience and subject, and the JWT";
    }

    /** Whoever could put another wrapping token in its place could have the broker log in as he likes: so where it was made is looked at. */
    private String unwrapped(String wrapping, String expected) throws SourceFault, InterruptedException {
        byte[] digest = digest(wrapping);
        if (Arrays.equals(digest, opened)) {
            return content;
        }
        VaultAnswer made = api.apply(null).write("sys/wrapping/lookup", Map.of("token", wrapping));
        if (!made.ok()) {
            throw opening(made.status());
        }
        String at = VaultAnswer.text(made.object("data"), "creation_path");
        if (!at.equals(expected)) {
            throw SourceFault.denied(
                    "the wrapping token was not made at " + expected
                            + ", where sallyport.vault.auth.wrapped-at says, so it was not opened; somebody may have put it in the right one's place");
        }
        VaultAnswer answer = api.apply(wrapping).write("sys/wrapping/unwrap", Map.of());
        if (!answer.ok()) {
            throw opening(answer.status());
        }
        String found = makes()
                ? VaultAnswer.text(answer.object("data"), "secret_id")
                : VaultAnswer.text(answer.object("auth"), "client_token");
        if (found.isEmpty()) {
            throw SourceFault.bad("the wrapping token held no " + (makes() ? "SecretID" : "token"));
        }
        opened = digest;
        content = found;
        return found;
    }

    private static SourceFault opening(int status) {
        return status == 400 || status == 403 || status == 404
                ? SourceFault.denied(
                        "Vault does not know the wrapping token (" + status
                                + "): it has ended, or somebody has opened it before. If that was nobody of you, treat what was in it as stolen. Either way a new one is needed")
                : VaultFaults.of(status, "the wrapping token", "nothing");
    }

    private String secret() throws SourceFault {
        String place = login.secret();
        if (place.startsWith("env:")) {
            String value = environment.apply(place.substring("env:".length()));
            if (value == null) {
                throw SourceFault.missing("the environment has no " + place.substring("env:".length()));
            }
            return usable(value);
        }
        String file = place.substring("file:".length());
        return usable(Path.of(file).isAbsolute() ? content(Path.of(file)) : files.text(file));
    }

    private static String content(Path file) throws SourceFault {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(LONGEST + 1), UTF_8);
        } catch (NoSuchFileException e) {
            throw SourceFault.missing("the file " + file + " does not exist");
        } catch (IOException e) {
            throw SourceFault.down(
                    "the file " + file + " can't be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    /** It goes into a field of a request: one line of printable ASCII. */
    private static String usable(String text) throws SourceFault {
        String stripped = text.strip();
        if (stripped.isEmpty()
                || stripped.length() > LONGEST
                || !stripped.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            throw SourceFault.bad(
                    "what it is to be proved with is not one line of printable ASCII without spaces, 16 KiB at most");
        }
        return stripped;
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
