package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What readiness hears of the hop. */
class HopHealthTest {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
    private final HopHealth health = new HopHealth(nanos::get);

    @Test
    void a_record_that_fails_shows_until_one_succeeds() {
        assertThat(health.recording()).isTrue();
        health.recordFailed();
        assertThat(health.recording()).isFalse();
        health.recorded();
        assertThat(health.recording()).isTrue();
    }

    @Test
    void without_traffic_that_could_show_a_recovery_a_failure_counts_for_some_seconds_alone() {
        health.outcomeLost();
        nanos.addAndGet(HopHealth.REMEMBERED.toNanos());
        assertThat(health.recording()).isFalse();
        nanos.addAndGet(1);
        assertThat(health.recording()).isTrue();
    }

    @Test
    void each_failure_counts_anew() {
        health.refusalLost();
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        health.recordFailed();
        assertThat(health.recording()).isFalse();
    }
}
