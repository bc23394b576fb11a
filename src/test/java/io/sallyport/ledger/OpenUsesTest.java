package io.sallyport.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups of uses and outcomes, some of which are rolled back: the first open use is never missed, and without rollbacks named exactly. */
class OpenUsesTest {

    private final OpenUses uses = new OpenUses();
    private final TreeSet<Long> open = new TreeSet<>();
    private long entries;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void no_open_use_is_before_the_one_that_is_named(long seed) {
        Random random = new Random(seed);
        boolean rolledBack = false;
        entries = random.nextInt(1_000_000);
        for (int group = 0; group < 3_000; group++) {
            TreeSet<Long> before = new TreeSet<>(open);
            long entriesBefore = entries;
            uses.groupBegins(entries);
            for (int i = random.nextInt(20); i >= 0; i--) {
                step(random);
            }
            if (random.nextInt(10) == 0 && seed > 1) {
                open.clear();
                open.addAll(before);
                entries = entriesBefore;
                uses.undone(entries);
                rolledBack = true;
            }
            long first = open.isEmpty() ? entries : open.first();
            assertThat(uses.first(entries)).as("group %d", group).isLessThanOrEqualTo(first);
            if (!rolledBack) {
                assertThat(uses.first(entries)).isEqualTo(first);
            }
        }
    }

    private void step(Random random) {
        if (open.isEmpty() || random.nextBoolean()) {
            uses.opened(entries);
            open.add(entries);
        } else {
            List<Long> all = new ArrayList<>(open);
            long use = all.get(random.nextInt(all.size()));
            uses.closed(use);
            open.remove(use);
        }
        entries++;
    }
}
