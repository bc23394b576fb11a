package io.sallyport.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class QuantitiesTest {

    @Test
    void times_are_written_in_ms_s_min_h_d() {
        assertThat(Quantities.duration("5ms")).contains(Duration.ofMillis(5));
        assertThat(Quantities.duration("30s")).contains(Duration.ofSeconds(30));
        assertThat(Quantities.duration("15min")).contains(Duration.ofMinutes(15));
        assertThat(Quantities.duration("2h")).contains(Duration.ofHours(2));
        assertThat(Quantities.duration("7d")).contains(Duration.ofDays(7));
    }

    @Test
    void sizes_are_written_in_KiB_MiB_GiB() {
        assertThat(Quantities.size("64KiB")).contains(65_536L);
        assertThat(Quantities.size("20MiB")).contains(20L << 20);
        assertThat(Quantities.size("999999999GiB")).contains(999_999_999L << 30);
    }

    @Test
    void rates_are_written_per_s_min_h() {
        assertThat(Quantities.rate("10/min")).contains(new Rate(10, Duration.ofMinutes(1)));
        assertThat(Quantities.rate("1/s")).contains(new Rate(1, Duration.ofSeconds(1)));
        assertThat(Quantities.rate("3/h")).contains(new Rate(3, Duration.ofHours(1)));
    }

    @Test
    void every_other_spelling_is_refused() {
        for (String text : List.of(
                "",
                "15",
                "15m",
                "15 min",
                "15Min",
                "-1s",
                "+1s",
                "1.5h",
                "015s",
                "1h30min",
                "PT1H",
                "1000000000s",
                "١s")) {
            assertThat(Quantities.duration(text)).as(text).isEmpty();
        }
        for (String text : List.of("1MB", "1M", "100", "100B", "1mib", "1/MiB", "0x1KiB")) {
            assertThat(Quantities.size(text)).as(text).isEmpty();
        }
        for (String text : List.of("0/min", "10/d", "10/ms", "10min", "10 /min", "10/5min", "10/m")) {
            assertThat(Quantities.rate(text)).as(text).isEmpty();
        }
    }

    @Test
    void what_is_printed_reads_back() {
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            Duration time = Duration.ofMillis(random.nextInt(1, 1_000_000)
                    * List.of(1L, 1000L, 60_000L, 3_600_000L).get(random.nextInt(4)));
            if (time.toMillis() < 1_000_000_000L) {
                assertThat(Quantities.duration(Quantities.print(time))).contains(time);
            }
            long size =
                    (long) random.nextInt(1, 1_000_000) << List.of(10, 20, 30).get(random.nextInt(3));
            assertThat(Quantities.size(Quantities.printSize(size))).contains(size);
        }
        assertThat(Quantities.print(Duration.ZERO)).isEqualTo("0s");
        assertThat(Quantities.print(new Rate(10, Duration.ofMinutes(1)))).isEqualTo("10/min");
        assertThat(Quantities.printSize(100)).isEqualTo("100 bytes");
    }
}
