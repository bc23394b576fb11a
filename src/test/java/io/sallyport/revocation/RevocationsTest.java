package io.sallyport.revocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.grant.Grant;
import io.sallyport.grant.Opening;
import io.sallyport.grant.TestGrants;
import io.sallyport.identity.Principal;
import io.sallyport.ledger.Fact;
import io.sallyport.revocation.BreakableWriter.State;
import io.sallyport.store.StoreFault;
import io.sallyport.testing.TestStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Stop means stop: at once, on disk as soon as the disk can, and until somebody lifts the lock. */
class RevocationsTest {

    @RegisterExtension
    final TestStore store = new TestStore();

    private RevocationRoom room;

    @BeforeEach
    void open() {
        room = new RevocationRoom(store);
    }

    private void restart() {
        store.reopen();
        open();
    }

    private boolean stands(Grant grant) {
        return room.grants.grants().stands(grant);
    }

    @Test
    void an_order_ends_what_it_selects_and_its_receipt_says_what() {
        Grant root = room.grants.open(TestGrants.active());
        Grant child = room.grants.open(TestGrants.childOf(root));
        Grant other = room.grants.open(TestGrants.active());

        Receipt receipt = room.order(Map.of("task", root.task()));

        assertThat(receipt.id()).startsWith("rev_");
        assertThat(receipt.grants()).containsExactlyInAnyOrder(root.id(), child.id());
        assertThat(receipt.flowsCut()).isEqualTo(4);
        assertThat(receipt.durable()).isTrue();
        assertThat(receipt.nodes()).containsExactly("node-1");
        assertThat(stands(root)).isFalse();
        assertThat(stands(child)).isFalse();
        assertThat(stands(other)).isTrue();
        assertThat(room.cut).containsExactlyInAnyOrder(root, child);
        assertThat(room.ledger.facts(Fact.Revoked.class))
                .containsExactly(new Fact.Revoked(
                        receipt.id(),
                        "operator",
                        "{\"task\":\"" + root.task() + "\"}",
                        "an alert",
                        receipt.grants(),
                        4));
        assertThat(room.revocations.locks()).as("a task is not locked").isEmpty();
    }

    @Test
    void a_receipt_can_be_had_again_after_a_restart_and_the_grants_stay_ended() {
        Grant root = room.grants.open(TestGrants.active());
        Grant child = room.grants.open(TestGrants.childOf(root));
        Receipt receipt = room.order(Map.of("grant", root.id()));
        restart();
        assertThat(room.revocations.find(receipt.id())).contains(receipt);
        assertThat(room.revocations.find("rev_unknown")).isEmpty();
        assertThat(stands(root)).isFalse();
        assertThat(stands(child)).isFalse();
    }

    @Test
    void a_grant_order_leaves_the_rest_of_its_task_alone() {
        Grant root = room.grants.open(TestGrants.active());
        Grant child = room.grants.open(TestGrants.childOf(root));
        assertThat(room.order(Map.of("grant", child.id())).grants()).containsExactly(child.id());
        assertThat(stands(root)).isTrue();
        assertThat(room.order(Map.of("grant", root.id(), "policy", "other")).grants())
                .isEmpty();
        assertThat(room.order(Map.of("task", root.task(), "policy", "other")).grants())
                .isEmpty();
        assertThat(stands(root)).isTrue();
    }

    @Test
    void a_repeated_order_ends_nothing_twice_and_locks_nothing_twice() {
        Grant grant = room.grants.open(TestGrants.active());
        Receipt first = room.order(Map.of("policy", "site-fixer"));
        Receipt second = room.order(Map.of("policy", "site-fixer"));
        assertThat(first.grants()).containsExactly(grant.id());
        assertThat(second.grants()).isEmpty();
        assertThat(second.flowsCut()).isZero();
        assertThat(second.durable()).isTrue();
        assertThat(room.revocations.locks()).hasSize(1);
        assertThat(room.ledger.facts(Fact.Locked.class)).hasSize(1);
        assertThat(room.ledger.facts(Fact.Revoked.class))
                .as("each order is recorded")
                .hasSize(2);
    }

    @Test
    void a_wide_order_locks_until_it_is_lifted_also_over_a_restart() {
        Receipt receipt = room.order(Map.of("workload", "cluster/site-fixer"));
        Lock lock = room.revocations.locks().getFirst();
        assertThat(lock.revocation()).isEqualTo(receipt.id());
        assertThat(lock.reason()).isEqualTo("an alert");
        assertThat(lock.since()).isEqualTo(room.time.instant());

        restart();
        assertThat(room.revocations.locks()).containsExactly(lock);
        assertThat(room.grants.tryOpen(TestGrants.active())).isEqualTo(new Opening.Refused("locked by " + lock.id()));
        Grant other = TestGrants.with(draft -> draft.workload = new Principal("cluster", "other"));
        assertThat(room.grants.tryOpen(other)).isEqualTo(new Opening.Opened());

        assertThat(room.revocations.lift(lock.id(), "the alert was false", "operator"))
                .isTrue();
        assertThat(room.ledger.facts(Fact.Unlocked.class))
                .containsExactly(new Fact.Unlocked(lock.id(), "operator", "the alert was false"));
        assertThat(room.revocations.lift(lock.id(), "again", "operator")).isFalse();
        assertThat(room.grants.tryOpen(TestGrants.active())).isEqualTo(new Opening.Opened());
        restart();
        assertThat(room.revocations.locks()).isEmpty();
    }

    @Test
    void credential_and_destination_reach_the_grants_that_use_them() {
        Grant fixer = room.grants.open(TestGrants.active());
        Grant other = room.grants.open(TestGrants.with(draft -> draft.policy = "other"));
        assertThat(room.order(Map.of("destination", "https://api.github.com")).grants())
                .containsExactly(fixer.id());
        assertThat(room.order(Map.of("credential", "other")).grants()).containsExactly(other.id());
        assertThat(room.grants.tryOpen(TestGrants.active())).isInstanceOf(Opening.Refused.class);
    }

    @Test
    void all_ends_everything_and_locks_everything() {
        Grant grant = room.grants.open(TestGrants.active());
        assertThat(room.order(Map.of("all", true)).grants()).containsExactly(grant.id());
        assertThat(room.grants.tryOpen(TestGrants.with(draft -> draft.policy = "other")))
                .isInstanceOf(Opening.Refused.class);
    }

    @Test
    void orders_and_lifts_need_a_reason() {
        room.order(Map.of("all", true));
        String lock = room.revocations.locks().getFirst().id();
        assertThatThrownBy(() -> room.revocations.order(Selector.ofTask("task_1"), " ", "operator"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> room.revocations.lift(lock, "", "operator"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(room.revocations.locks()).hasSize(1);
    }

    @Test
    void a_store_that_is_down_does_not_stop_a_stop() {
        Grant grant = room.grants.open(TestGrants.active());
        room.writer.become(State.DOWN);

        Receipt receipt = room.order(Map.of("policy", "site-fixer"));

        assertThat(receipt.durable()).isFalse();
        assertThat(receipt.grants()).containsExactly(grant.id());
        assertThat(receipt.flowsCut()).isEqualTo(2);
        assertThat(stands(grant)).isFalse();
        assertThat(room.grants.tryOpen(TestGrants.active())).isInstanceOf(Opening.Refused.class);
        assertThat(room.revocations.find(receipt.id())).contains(receipt);

        room.writer.become(State.WORKS);
        room.revocations.retry();
        assertThat(room.revocations.find(receipt.id()).orElseThrow().durable()).isTrue();
        assertThat(room.ledger.facts(Fact.Revoked.class)).hasSize(1);
        restart();
        assertThat(stands(grant)).isFalse();
        assertThat(room.revocations.locks()).hasSize(1);
    }

    @Test
    void a_store_that_hangs_does_not_stop_a_stop_either() {
        Grant grant = room.grants.open(TestGrants.active());
        room.writer.become(State.HANGS);
        Receipt receipt = room.order(Map.of("task", grant.task()));
        assertThat(receipt.durable()).isFalse();
        assertThat(stands(grant)).isFalse();
    }

    @Test
    void an_entry_that_can_not_be_appended_leaves_nothing_on_disk_and_is_tried_again() {
        Grant grant = room.grants.open(TestGrants.active());
        room.ledger.refuse(fact -> fact instanceof Fact.Locked);
        Receipt receipt = room.order(Map.of("policy", "site-fixer"));
        assertThat(receipt.durable()).isFalse();
        assertThat(stands(grant)).isFalse();
        assertThat(room.ledger.facts(Fact.Revoked.class))
                .as("the whole transaction is undone")
                .isEmpty();

        room.ledger.refuse(fact -> false);
        room.revocations.retry();
        assertThat(room.revocations.find(receipt.id()).orElseThrow().durable()).isTrue();
    }

    @Test
    void records_that_wait_are_written_in_the_order_of_the_orders() {
        room.writer.become(State.DOWN);
        Receipt first = room.order(Map.of("policy", "a"));
        Receipt second = room.order(Map.of("policy", "b"));
        room.writer.become(State.WORKS);
        Receipt third = room.order(Map.of("policy", "c"));
        assertThat(third.durable()).as("it waits behind the others").isFalse();
        room.revocations.retry();
        assertThat(room.ledger.facts(Fact.Revoked.class))
                .extracting(Fact.Revoked::revocation)
                .containsExactly(first.id(), second.id(), third.id());
        assertThat(room.order(Map.of("policy", "d")).durable()).isTrue();
    }

    @Test
    void a_retry_that_fails_keeps_everything_for_the_next_one() {
        room.writer.become(State.DOWN);
        Receipt receipt = room.order(Map.of("policy", "a"));
        room.revocations.retry();
        assertThat(room.revocations.find(receipt.id()).orElseThrow().durable()).isFalse();
        room.writer.become(State.WORKS);
        room.revocations.retry();
        room.revocations.retry();
        assertThat(room.ledger.facts(Fact.Revoked.class)).hasSize(1);
    }

    @Test
    void a_repeated_order_is_not_durable_before_the_first_one_is() {
        Grant grant = room.grants.open(TestGrants.active());
        room.writer.become(State.DOWN);
        room.order(Map.of("task", grant.task()));
        room.writer.become(State.WORKS);
        assertThat(room.order(Map.of("task", grant.task())).durable()).isFalse();
        room.revocations.retry();
        assertThat(room.order(Map.of("task", grant.task())).durable()).isTrue();
    }

    @Test
    void a_lock_that_is_not_on_disk_can_not_be_lifted_and_a_failed_lift_leaves_it() {
        room.writer.become(State.DOWN);
        room.order(Map.of("policy", "site-fixer"));
        String lock = room.revocations.locks().getFirst().id();
        assertThatThrownBy(() -> room.revocations.lift(lock, "false alert", "operator"))
                .isInstanceOf(StoreFault.class);
        room.writer.become(State.WORKS);
        room.revocations.retry();
        room.writer.become(State.DOWN);
        assertThatThrownBy(() -> room.revocations.lift(lock, "false alert", "operator"))
                .isInstanceOf(StoreFault.class);
        assertThat(room.grants.tryOpen(TestGrants.active())).isInstanceOf(Opening.Refused.class);
        room.writer.become(State.WORKS);
        assertThat(room.revocations.lift(lock, "false alert", "operator")).isTrue();
    }

    @Test
    void an_order_that_comes_while_the_lock_is_being_lifted_locks_anew() {
        room.order(Map.of("policy", "site-fixer"));
        Lock first = room.revocations.locks().getFirst();
        assertThat(room.locks.beginLift(first.id())).isEqualTo(first);
        assertThat(room.locks.beginLift(first.id())).as("nobody lifts it twice").isNull();
        room.order(Map.of("policy", "site-fixer"));
        room.locks.endLift(first.id(), true);
        assertThat(room.revocations.locks()).hasSize(1).doesNotContain(first);
    }

    @Test
    void a_grant_whose_opening_is_under_way_when_the_order_comes_does_not_escape() {
        Grant grant = TestGrants.active();
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch ordered = new CountDownLatch(1);
        CompletableFuture<Opening> opening = store.writer().submit(tx -> {
            Opening answer = room.grants.grants().open(tx, grant);
            written.countDown();
            await(ordered);
            return answer;
        });
        await(written);
        Receipt receipt =
                room.order(Map.of("policy", "site-fixer")); // in memory at once; its record waits behind the opening
        assertThat(receipt.durable()).isFalse();
        ordered.countDown();
        assertThat(opening.join()).isEqualTo(new Opening.Opened());

        assertThat(stands(grant)).isFalse();
        restart();
        assertThat(stands(grant)).isFalse();
        room.revocations.lift(room.revocations.locks().getFirst().id(), "over", "operator");
        restart();
        assertThat(stands(grant)).isFalse();
    }

    @Test
    void a_fault_in_the_cutting_does_not_keep_the_order_from_being_written() {
        Grant grant = room.grants.open(TestGrants.active());
        JdbcRevocations broken = new JdbcRevocations(
                room.grants.grants(),
                ended -> {
                    throw new IllegalStateException("the event loop is gone");
                },
                RevocationRoom.REACH,
                room.locks,
                new JdbcRevocations.Store(
                        room.writer,
                        store.readers(),
                        room.ledger,
                        room.time,
                        "node-1",
                        java.time.Duration.ofSeconds(2)));
        Receipt receipt = broken.order(Selector.ofTask(grant.task()), "an alert", "operator");
        assertThat(receipt.durable()).isTrue();
        assertThat(receipt.grants()).isEqualTo(List.of(grant.id()));
        assertThat(stands(grant)).isFalse();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
