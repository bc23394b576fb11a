package io.sallyport.ledger;

import static io.sallyport.ledger.TestFacts.answered;
import static io.sallyport.ledger.TestFacts.used;
import static io.sallyport.ledger.TestFacts.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.identity.Principal;
import io.sallyport.ledger.Ledger.Entry;
import io.sallyport.ledger.Ledger.Query;
import io.sallyport.testing.TestLedger;
import io.sallyport.testing.TestStore;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The broker died between a use and its outcome (RW-88). */
class UnfinishedUsesTest {

    @RegisterExtension
    final TestStore store = new TestStore();

    @Test
    void uses_without_an_outcome_are_closed_as_unknown_at_the_next_start_and_counted() {
        Fact.Actor onBehalf = new Fact.Actor(
                "task-9", "grant-9", "p", new Principal("cluster", "agents:x"), new Principal("okta", "jo/doe"));
        Ledger ledger = TestLedger.on(store);
        long done = append(ledger, used("done"));
        append(ledger, answered(done));
        long left = append(ledger, used(onBehalf, "/", "four", true, null));
        long large = append(ledger, used("one", false, null));
        append(ledger, window(large, "one", "three", false));

        store.reopen();
        ledger = TestLedger.on(store);

        List<Entry> after = ledger.find(new Query(null, null, null, null, null, null, 5, 10))
                .entries();
        assertThat(after).extracting(Entry::kind).containsExactly("outcome", "outcome", "started");
        assertThat(after.get(0).canonical())
                .contains(
                        "\"outcome\":\"unknown\"",
                        "\"use\":" + left,
                        "\"bytes_out\":4",
                        "\"injected\":[\"github-acme\"]")
                .contains("\"task\":\"task-9\"", "\"person\":\"okta/jo/doe\"", "\"status\":0");
        assertThat(after.get(1).canonical()).contains("\"use\":" + large, "\"bytes_out\":8");
        assertThat(after.get(2).canonical())
                .contains("\"unfinished\":2", "\"version\":\"1.2.3\"", "\"node\":\"node-a\"");
    }

    @Test
    void what_one_start_has_closed_is_not_closed_again_by_the_next() {
        append(TestLedger.on(store), used("left"));
        store.reopen();
        TestLedger.on(store);
        store.reopen();
        Ledger ledger = TestLedger.on(store);
        assertThat(ledger.find(Query.all(10)).entries())
                .extracting(Entry::kind)
                .containsExactly("started", "used", "outcome", "started", "started");
        assertThat(ledger.entry(4)).get().asString().contains("\"unfinished\":0");
    }

    @Test
    void a_use_whose_outcome_was_rolled_back_is_still_closed_at_the_next_start() {
        Ledger ledger = TestLedger.on(store);
        long use = append(ledger, used("left"));
        long later = append(ledger, used("done"));
        assertThatThrownBy(() -> store.writer().write(tx -> {
                    ledger.append(tx, answered(use));
                    throw new IllegalStateException("after the append");
                }))
                .hasMessageContaining("after the append");
        append(ledger, answered(later));
        store.reopen();
        assertThat(TestLedger.on(store).find(Query.all(10)).entries().getLast().canonical())
                .contains("\"unfinished\":1");
    }

    @Test
    void a_use_that_is_open_since_long_ago_is_closed_however_much_was_done_since() {
        Ledger ledger = TestLedger.on(store);
        long use = append(ledger, used("long"));
        for (int i = 0; i < 300; i++) {
            append(ledger, answered(append(ledger, used("short"))));
        }
        store.reopen();
        assertThat(TestLedger.on(store)
                        .find(new Query(null, null, null, "outcome", null, null, 600, 10))
                        .entries()
                        .getLast()
                        .canonical())
                .contains("\"use\":" + use, "unknown");
    }

    private long append(Ledger ledger, Fact fact) {
        return store.writer().write(tx -> ledger.append(tx, fact)).seq();
    }
}
