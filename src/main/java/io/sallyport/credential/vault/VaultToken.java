package io.sallyport.credential.vault;

import java.time.Duration;
import java.time.Instant;

/**
 * The broker's own token.
 *
 * @param value a text, because the driver takes and gives nothing else: it can't be zeroed
 * @param login the same for as long as a token is the same, and no other's: what was leased under a token ends with it
 * @param begins when it was last had or renewed
 * @param lives counted from then; {@link #FOREVER} for one that does not end
 * @param renewable whether it can be made to live longer
 */
record VaultToken(String value, Object login, Instant begins, Duration lives, boolean renewable) {

    static final Duration FOREVER = Duration.ofDays(36_500);

    /** @param seconds 0 for one that does not end */
    static VaultToken of(String value, Object login, Instant begins, long seconds, boolean renewable) {
        Duration lives = seconds <= 0 ? FOREVER : Duration.ofSeconds(seconds);
        return new VaultToken(value, login, begins, lives, renewable);
    }

    boolean over(Instant now) {
        return !now.isBefore(begins.plus(lives));
    }

    /** After two thirds of its life: time for several attempts is left. */
    boolean due(Instant now) {
        return !now.isBefore(begins.plus(lives.multipliedBy(2).dividedBy(3)));
    }

    Duration left(Instant now) {
        return Duration.between(now, begins.plus(lives));
    }

    @Override
    public String toString() {
        return "VaultToken[***]";
    }
}
