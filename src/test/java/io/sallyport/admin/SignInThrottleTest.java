package io.sallyport.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class SignInThrottleTest {

    private Instant now = Instant.parse("2026-11-30T12:00:00Z");
    private final SignInThrottle throttle = new SignInThrottle(new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    });

    @Test
    void after_five_wrong_tokens_an_address_waits_and_another_does_not() {
        for (int i = 0; i < SignInThrottle.TRIES; i++) {
            assertThat(throttle.mayTry("10.0.0.1")).isTrue();
            throttle.wrong("10.0.0.1");
        }
        assertThat(throttle.mayTry("10.0.0.1")).isFalse();
        assertThat(throttle.mayTry("10.0.0.2")).isTrue();
        now = now.plus(SignInThrottle.WAIT);
        assertThat(throttle.mayTry("10.0.0.1")).isFalse();
        now = now.plus(Duration.ofSeconds(1));
        assertThat(throttle.mayTry("10.0.0.1")).isTrue();
        throttle.wrong("10.0.0.1");
        assertThat(throttle.mayTry("10.0.0.1")).isTrue();
    }

    @Test
    void the_right_token_forgets_the_wrong_ones() {
        for (int i = 0; i < SignInThrottle.TRIES - 1; i++) {
            throttle.wrong("10.0.0.1");
        }
        throttle.right("10.0.0.1");
        throttle.wrong("10.0.0.1");
        assertThat(throttle.mayTry("10.0.0.1")).isTrue();
    }
}
