package io.sallyport.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WaitingLineTest {

    private final WaitingLine line = new WaitingLine(3);

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

    private static Job<Integer> job() {
        return new Job<>(tx -> 1);
    }
}
