package io.sallyport.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WaitingLineTest {

    private final WaitingLine line = new WaitingLine(3, Duration.ofDays(1));

    @Test
    void a_full_line_refuses_at_once_and_takes_again_once_there_is_room() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            assertThat(line.add(job())).isEqualTo(WaitingLine.Entry.WAITING);
        }
        assertThat(line.add(job())).isEqualTo(WaitingLine.Entry.FULL);
        assertThat(line.take(2, Duration.ZERO)).hasSize(2);
        assertThat(line.add(job())).isEqualTo(WaitingLine.Entry.WAITING);
    }

    @Test
    void a_closed_line_lets_nothing_in_and_gives_out_what_is_left() throws InterruptedException {
        line.add(job());
        line.close();
        assertThat(line.add(job())).isEqualTo(WaitingLine.Entry.CLOSED);
        assertThat(line.drained()).isFalse();
        assertThat(line.take(10, WaitingLine.whenever())).hasSize(1);
        assertThat(line.drained()).isTrue();
        assertThat(line.take(10, WaitingLine.whenever())).isEmpty();
    }

    @Test
    void work_comes_out_in_the_order_in_which_it_came() throws InterruptedException {
        Job<Integer> first = job();
        Job<Integer> second = job();
        line.add(first);
        line.add(second);
        assertThat(line.take(10, Duration.ZERO)).containsExactly(first, second);
    }

    @Test
    void work_that_nobody_waits_for_wakes_nobody() throws InterruptedException {
        Job<Integer> left = job();
        line.addInPassing(left);
        Duration atMost = Duration.ofMillis(20);
        long before = System.nanoTime();
        assertThat(line.take(10, atMost)).containsExactly(left);
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(atMost.toNanos());
    }

    @Test
    @Timeout(60)
    void work_that_nobody_waits_for_goes_with_the_next_that_somebody_does_in_order() throws InterruptedException {
        Job<Integer> left = job();
        Job<Integer> pressing = job();
        Job<Integer> behind = job();
        line.addInPassing(left);
        line.add(pressing);
        line.addInPassing(behind);
        assertThat(line.take(10, WaitingLine.whenever())).containsExactly(left, pressing, behind);
    }

    @Test
    @Timeout(60)
    void what_did_not_fit_into_a_group_still_presses() throws InterruptedException {
        line.add(job());
        line.add(job());
        assertThat(line.take(1, WaitingLine.whenever())).hasSize(1);
        assertThat(line.take(1, WaitingLine.whenever())).hasSize(1);
    }

    @Test
    @Timeout(60)
    void a_closed_line_gives_out_what_nobody_waits_for_at_once() throws InterruptedException {
        line.addInPassing(job());
        line.close();
        assertThat(line.take(10, WaitingLine.whenever())).hasSize(1);
        assertThat(line.drained()).isTrue();
    }

    /** Sooner, later and at the very moment when the writer falls asleep: none may be left lying for the next. */
    @Test
    @Timeout(120)
    void work_that_nobody_waits_for_comes_out_by_itself_whenever_it_came() throws InterruptedException {
        WaitingLine hasty = new WaitingLine(3, Duration.ofMillis(1));
        BlockingQueue<Job<?>> out = new LinkedBlockingQueue<>();
        Thread writer = Thread.ofPlatform().daemon().start(() -> {
            while (!hasty.drained()) {
                out.addAll(taken(hasty));
            }
        });
        Random random = new Random(7);
        for (int i = 0; i < 300; i++) {
            LockSupport.parkNanos(random.nextInt(3_000_000));
            Job<Integer> job = job();
            hasty.addInPassing(job);
            assertThat(out.poll(1, TimeUnit.MINUTES)).isSameAs(job);
        }
        hasty.close();
        writer.join();
    }

    private static List<Job<?>> taken(WaitingLine line) {
        try {
            return line.take(10, WaitingLine.whenever());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Job<Integer> job() {
        return new Job<>(tx -> 1);
    }
}
