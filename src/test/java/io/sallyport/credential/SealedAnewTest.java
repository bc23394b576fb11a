package io.sallyport.credential;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.credential.source.RefreshTokens;
import io.sallyport.credential.source.RefreshTokens.Access;
import io.sallyport.credential.source.RefreshTokens.Chain;
import io.sallyport.store.KeyPlace;
import io.sallyport.store.Resealing;
import io.sallyport.store.Seal;
import io.sallyport.testing.TestClock;
import io.sallyport.testing.TestStore;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What this room keeps sealed, when another key takes the place of the one that sealed it. */
class SealedAnewTest {

    @RegisterExtension
    final TestStore store = new TestStore();

    private final TestClock clock = new TestClock();

    private Resealing keys(Path key, Path... previous) {
        return store.sqlite()
                .keys(
                        new KeyPlace.InFile(key),
                        List.of(previous).stream()
                                .<KeyPlace>map(KeyPlace.InFile::new)
                                .toList(),
                        List.of(),
                        List.of(
                                JdbcLocalSecrets.SEALED,
                                JdbcRefreshTokens.SEALED_REFRESH,
                                JdbcRefreshTokens.SEALED_ACCESS));
    }

    private RefreshTokens tokens(Seal seal) {
        return new JdbcRefreshTokens(store.readers(), store.writer(), seal, clock);
    }

    private String entered(Seal seal, String credential, String secret) throws Exception {
        JdbcLocalSecrets local = new JdbcLocalSecrets(store.readers(), seal, clock);
        LocalSecrets.Entry.Taken taken = (LocalSecrets.Entry.Taken) local.seal(
                TestCredentials.compiled(java.util.Map.of("kind", "local"), TestCredentials.BEARER),
                new ByteArrayInputStream(secret.getBytes(StandardCharsets.US_ASCII)));
        store.writer().write(tx -> {
            local.put(tx, taken.secret(), "kim");
            return 0;
        });
        assertThat(taken.secret().credential()).isEqualTo(credential);
        return taken.secret().revision();
    }

    private Access access(String token) {
        return new Access(
                token.getBytes(StandardCharsets.US_ASCII),
                clock.instant(),
                clock.instant().plus(Duration.ofHours(1)));
    }

    @Test
    void a_refresh_token_that_is_in_use_while_it_is_sealed_anew_goes_on() throws Exception {
        Path newKey = store.key().resolveSibling("new.key");
        Resealing before = keys(store.key());
        String entry = entered(before.seal(), "acme", "first-refresh-t0ken");
        RefreshTokens tokens = tokens(before.seal());
        Chain claimed = Objects.requireNonNull(tokens.claim(tokens.read("acme", entry)));
        Objects.requireNonNull(tokens.answered(
                claimed, "second-refresh-t0ken".getBytes(StandardCharsets.US_ASCII), access("first-access-t0ken")));
        store.reopen();

        Resealing keys = keys(newKey, store.key());
        RefreshTokens after = tokens(keys.seal());
        Chain inFlight = Objects.requireNonNull(after.claim(after.read("acme", entry)));
        assertThat(keys.run(() -> true, _ -> {})).isEmpty();
        assertThat(keys.status().waiting()).isZero();
        Chain next = Objects.requireNonNull(after.answered(
                inFlight, "third-refresh-t0ken".getBytes(StandardCharsets.US_ASCII), access("second-access-t0ken")));
        assertThat(next.refresh()).asString().isEqualTo("third-refresh-t0ken");
        store.reopen();

        Chain last = tokens(keys(newKey).seal()).read("acme", entry);
        assertThat(last.refresh()).asString().isEqualTo("third-refresh-t0ken");
        assertThat(Objects.requireNonNull(last.access()).token()).asString().isEqualTo("second-access-t0ken");
    }

    @Test
    void a_chain_that_nobody_uses_is_read_with_the_new_key_alone() throws Exception {
        Path newKey = store.key().resolveSibling("new.key");
        Resealing before = keys(store.key());
        String entry = entered(before.seal(), "acme", "first-refresh-t0ken");
        RefreshTokens tokens = tokens(before.seal());
        Chain claimed = Objects.requireNonNull(tokens.claim(tokens.read("acme", entry)));
        tokens.answered(claimed, "second-refresh-t0ken".getBytes(StandardCharsets.US_ASCII), access("an-access-t0ken"));
        store.reopen();
        keys(newKey, store.key()).run(() -> true, _ -> {});
        store.reopen();

        Chain read = tokens(keys(newKey).seal()).read("acme", entry);
        assertThat(read.refresh()).asString().isEqualTo("second-refresh-t0ken");
        assertThat(Objects.requireNonNull(read.access()).token()).asString().isEqualTo("an-access-t0ken");
        assertThat(read.generation()).isOne();
    }
}
