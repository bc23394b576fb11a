package io.sallyport.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.http.Origin;
import io.sallyport.identity.Principal;
import io.sallyport.testing.TestStore;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What stands, from when and until when. */
class GrantsTest {

    @RegisterExtension
    final TestStore store = new TestStore();

    private final TestTime time = new TestTime();
    private final AtomicReference<Locks> locks = new AtomicReference<>(TestGrants.NO_LOCKS);
    private TestGrants room;
    private Grants grants;

    @BeforeEach
    void open() {
        room = TestGrants.on(store, time, candidate -> locks.get().lockedBy(candidate));
        grants = room.grants();
    }

    private void restart() {
        store.reopen();
        open();
    }

    private Recognition recognise(Grant grant, String source) {
        return grants.recognise(room.tokens().mint(grant), TestGrants.address(source));
    }

    @Test
    void a_grant_stands_once_it_is_committed_and_not_before() {
        Grant grant = TestGrants.active();
        String token = room.tokens().mint(grant);
        CountDownLatch inTransaction = new CountDownLatch(1);
        CountDownLatch looked = new CountDownLatch(1);
        CompletableFuture<Opening> opening = store.writer().submit(tx -> {
            Opening opened = grants.open(tx, grant);
            inTransaction.countDown();
            await(looked);
            return opened;
        });

        await(inTransaction);
        assertThat(grants.stands(grant)).isFalse();
        assertThat(grants.recognise(token, TestGrants.address("10.0.0.1")))
                .isEqualTo(new Recognition.NotLive("unknown"));
        looked.countDown();

        assertThat(opening.join()).isEqualTo(new Opening.Opened());
        assertThat(grants.stands(grant)).isTrue();
        assertThat(grants.recognise(token, TestGrants.address("10.0.0.1"))).isEqualTo(new Recognition.Live(grant));
    }

    @Test
    void a_grant_whose_transaction_fails_never_stands() {
        Grant grant = TestGrants.active();
        assertThatThrownBy(() -> store.writer().write(tx -> {
                    grants.open(tx, grant);
                    throw new IllegalStateException("the entry could not be appended");
                }))
                .hasMessageContaining("the entry could not be appended");

        assertThat(grants.stands(grant)).isFalse();
        assertThat(grants.byId(grant.id())).isEmpty();
    }

    @Test
    void everything_about_a_grant_survives_a_restart() {
        Grant plain = room.open(TestGrants.active());
        Grant full = room.open(TestGrants.childOf(plain, draft -> {
            draft.scopes = Set.of("read");
            draft.resources = Set.of(new Origin("https", "a.example", 443), new Origin("http", "10.0.0.1", 8080));
            draft.address = "10.0.0.1";
            draft.workload = new Principal("cluster", "system:serviceaccount:agents/helper");
            draft.uses = 3;
        }));

        restart();

        assertThat(grants.byId(plain.id())).contains(plain);
        assertThat(grants.byJti(full.jti())).contains(full);
        assertThat(grants.standing(grant -> true)).containsExactlyInAnyOrder(plain, full);
        assertThat(grants.ofTask(plain.task())).containsExactlyInAnyOrder(plain, full);
        assertThat(recognise(full, "10.0.0.1")).isEqualTo(new Recognition.Live(full));
    }

    @Test
    void a_grant_ends_at_its_time_by_the_wall_clock() {
        Grant grant = room.open(TestGrants.active());
        time.passOnWallOnly(Duration.ofMinutes(15).minusMillis(1));
        assertThat(grants.stands(grant)).isTrue();
        time.passOnWallOnly(Duration.ofMillis(1));
        assertThat(grants.stands(grant)).isFalse();
        assertThat(recognise(grant, "10.0.0.1")).isEqualTo(new Recognition.NotLive("expired"));
    }

    @Test
    void setting_the_wall_clock_back_does_not_lengthen_a_grant() {
        Grant grant = room.open(TestGrants.active());
        time.passOnWallOnly(Duration.ofHours(-5));
        time.passOnMonotonicOnly(Duration.ofMinutes(15).minusNanos(1));
        assertThat(grants.stands(grant)).isTrue();
        time.passOnMonotonicOnly(Duration.ofNanos(1));
        assertThat(grants.stands(grant)).isFalse();
    }

    @Test
    void an_expired_grant_does_not_come_back_with_a_restart() {
        Grant grant = room.open(TestGrants.active());
        time.pass(Duration.ofMinutes(15));
        restart();
        assertThat(grants.standing(any -> true)).isEmpty();
        assertThat(grants.byId(grant.id())).as("the disk remembers it").contains(grant);
    }

    @Test
    void an_ended_grant_is_refused_at_once_and_after_a_restart() {
        Grant grant = room.open(TestGrants.active());
        assertThat(recognise(grant, "10.0.0.1")).isInstanceOf(Recognition.Live.class);
        room.end(grant);
        assertThat(recognise(grant, "10.0.0.1"))
                .as("the token's signature is remembered, its grant is looked at anew")
                .isEqualTo(new Recognition.NotLive("ended"));
        restart();
        assertThat(recognise(grant, "10.0.0.1")).isEqualTo(new Recognition.NotLive("unknown"));
        assertThat(grants.stands(grant)).isFalse();
    }

    @Test
    void ending_a_grant_ends_its_descendants_at_every_depth_and_nothing_else() {
        Grant root = room.open(TestGrants.active());
        Grant child = room.open(TestGrants.childOf(root));
        Grant grandchild = room.open(TestGrants.childOf(child));
        Grant sibling = room.open(TestGrants.childOf(root));
        Grant other = room.open(TestGrants.active());

        List<Grant> ended = grants.endInMemory(List.of(child), EndReason.REVOKED);

        assertThat(ended).containsExactlyInAnyOrder(child, grandchild);
        assertThat(grants.standing(any -> true)).containsExactlyInAnyOrder(root, sibling, other);
        assertThat(recognise(grandchild, "10.0.0.1")).isEqualTo(new Recognition.NotLive("ended"));
    }

    @Test
    void a_child_of_an_ended_parent_does_not_come_back_even_if_only_the_parents_end_was_written() {
        Grant root = room.open(TestGrants.active());
        Grant child = room.open(TestGrants.childOf(root));
        Grant grandchild = room.open(TestGrants.childOf(child));
        store.writer().write(tx -> {
            grants.recordEnd(tx, List.of(root), EndReason.REVOKED);
            return root;
        });
        restart();
        assertThat(grants.standing(any -> true)).isEmpty();
        assertThat(grants.stands(grandchild)).isFalse();
    }

    @Test
    void each_ending_is_told_once_with_its_reason_on_the_ending_thread() {
        Grant root = room.open(TestGrants.active());
        Grant child = room.open(TestGrants.childOf(root));
        List<GrantEnded> news = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        grants.onEnded(ended -> {
            throw new IllegalStateException("a listener that fails");
        });
        grants.onEnded(ended -> {
            assertThat(grants.stands(child))
                    .as("memory says ended before anybody is told")
                    .isFalse();
            news.add(ended);
            threads.add(Thread.currentThread());
        });

        grants.endInMemory(List.of(root, child), EndReason.POLICY_GONE);
        assertThat(grants.endInMemory(List.of(root), EndReason.REVOKED)).isEmpty();

        assertThat(news)
                .containsExactly(
                        new GrantEnded(root, EndReason.POLICY_GONE), new GrantEnded(child, EndReason.POLICY_GONE));
        assertThat(threads).containsOnly(Thread.currentThread());
    }

    @Test
    void descendants_are_told_that_their_parent_ended() {
        Grant root = room.open(TestGrants.active());
        Grant child = room.open(TestGrants.childOf(root));
        List<GrantEnded> news = new ArrayList<>();
        grants.onEnded(news::add);
        grants.endInMemory(List.of(root), EndReason.REVOKED);
        assertThat(news)
                .containsExactly(
                        new GrantEnded(root, EndReason.REVOKED), new GrantEnded(child, EndReason.PARENT_ENDED));
    }

    @Test
    void expiry_is_no_news() {
        Grant grant = room.open(TestGrants.active());
        time.pass(Duration.ofMinutes(15));
        assertThat(grants.endInMemory(List.of(grant), EndReason.REVOKED)).isEmpty();
    }

    @Test
    void what_no_longer_stands_leaves_memory_and_stays_on_disk() {
        Grant shorter = room.open(TestGrants.with(draft -> draft.expires = TestTime.START.plusSeconds(60)));
        Grant root = room.open(TestGrants.active());
        Grant child = room.open(TestGrants.childOf(root));
        room.end(child);
        time.pass(Duration.ofSeconds(60));

        assertThat(room.forgetExpired()).isEqualTo(2);

        assertThat(room.inMemory()).isEqualTo(1);
        assertThat(grants.stands(root)).isTrue();
        assertThat(grants.ofTask(root.task())).containsExactly(root);
        assertThat(grants.byId(shorter.id())).contains(shorter);
        assertThat(grants.byJti(child.jti())).contains(child);
        assertThat(recognise(shorter, "10.0.0.1")).isEqualTo(new Recognition.NotLive("unknown"));
    }

    @Test
    void a_child_of_a_parent_that_has_ended_is_refused_and_not_written() {
        Grant root = room.open(TestGrants.active());
        Grant child = TestGrants.childOf(root);
        grants.endInMemory(List.of(root), EndReason.REVOKED);
        assertThat(room.tryOpen(child)).isInstanceOf(Opening.Refused.class);
        assertThat(grants.byId(child.id())).isEmpty();
    }

    @Test
    void a_grandchild_of_a_revoked_ancestor_is_refused() {
        Grant root = room.open(TestGrants.active());
        Grant child = room.open(TestGrants.childOf(root));
        grants.endInMemory(List.of(root), EndReason.REVOKED);
        assertThat(room.tryOpen(TestGrants.childOf(child))).isInstanceOf(Opening.Refused.class);
    }

    @Test
    void a_parent_that_ends_while_its_child_is_being_opened_takes_the_child_with_it() {
        Grant root = room.open(TestGrants.active());
        Grant child = TestGrants.childOf(root);
        CountDownLatch opened = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        CompletableFuture<Opening> opening = store.writer().submit(tx -> {
            Opening answer = grants.open(tx, child);
            opened.countDown();
            await(ended);
            return answer;
        });
        await(opened);
        grants.endInMemory(List.of(root), EndReason.REVOKED);
        ended.countDown();
        opening.join();

        assertThat(grants.stands(child)).isFalse();
        assertThat(grants.standing(any -> true)).isEmpty();
        store.writer().write(tx -> null); // behind it in the line: the end that the opening itself ordered
        restart();
        assertThat(grants.stands(child)).isFalse();
    }

    @Test
    void a_lock_refuses_the_opening_inside_its_transaction() {
        locks.set(candidate -> Optional.of("lock_1"));
        Grant grant = TestGrants.active();
        assertThat(room.tryOpen(grant)).isEqualTo(new Opening.Refused("locked by lock_1"));
        assertThat(grants.byId(grant.id())).isEmpty();
        assertThat(grants.stands(grant)).isFalse();
    }

    @Test
    void a_lock_that_is_ordered_between_the_look_and_the_commit_wins() {
        Grant grant = TestGrants.active();
        CountDownLatch looked = new CountDownLatch(1);
        CountDownLatch locked = new CountDownLatch(1);
        CompletableFuture<Opening> opening = store.writer().submit(tx -> {
            Opening answer = grants.open(tx, grant);
            looked.countDown();
            await(locked);
            return answer;
        });
        await(looked);
        locks.set(candidate -> Optional.of("lock_1"));
        assertThat(grants.standing(any -> true))
                .as("the order picks, and finds nothing")
                .isEmpty();
        locked.countDown();
        opening.join();

        assertThat(grants.stands(grant)).isFalse();
        assertThat(recognise(grant, "10.0.0.1")).isInstanceOf(Recognition.NotLive.class);
        store.writer().write(tx -> null);
        locks.set(TestGrants.NO_LOCKS);
        restart();
        assertThat(grants.stands(grant)).as("nor after the lock is lifted").isFalse();
    }

    @Test
    void what_a_lock_matches_does_not_come_back_with_a_restart_nor_when_the_lock_is_lifted() {
        Grant grant = room.open(TestGrants.active());
        locks.set(candidate -> Optional.of("lock_1"));
        restart();
        assertThat(grants.stands(grant)).isFalse();
        locks.set(TestGrants.NO_LOCKS);
        restart();
        assertThat(grants.stands(grant)).isFalse();
    }

    @Test
    void a_bound_grant_is_used_from_its_address_and_from_no_other() throws Exception {
        Grant grant = room.open(TestGrants.with(draft -> draft.address = "10.2.3.0/24"));
        byte[] mapped = TestGrants.address("::").getAddress();
        mapped[10] = mapped[11] = (byte) 0xff;
        System.arraycopy(new byte[] {10, 2, 3, 9}, 0, mapped, 12, 4);
        InetAddress dualStack = Inet6Address.getByAddress("dual", mapped, 0);

        assertThat(recognise(grant, "10.2.3.255")).isEqualTo(new Recognition.Live(grant));
        assertThat(grants.recognise(room.tokens().mint(grant), dualStack)).isEqualTo(new Recognition.Live(grant));
        assertThat(recognise(grant, "10.2.4.0")).isEqualTo(new Recognition.NotLive("another address"));
        assertThat(recognise(grant, "127.0.0.1")).isEqualTo(new Recognition.NotLive("another address"));
        assertThat(recognise(grant, "::1")).isEqualTo(new Recognition.NotLive("another address"));
    }

    @Test
    void an_address_that_is_none_is_a_fault_of_whoever_opens() {
        Grant grant = TestGrants.with(draft -> draft.address = "everywhere");
        assertThatThrownBy(() -> room.tryOpen(grant)).isInstanceOf(IllegalArgumentException.class);
        assertThat(grants.stands(grant)).isFalse();
    }

    @Test
    void nobody_elses_token_and_no_garbage_is_recognised() {
        Grant grant = room.open(TestGrants.active());
        String token = room.tokens().mint(grant);
        assertThat(grants.recognise("garbage", TestGrants.address("10.0.0.1")))
                .isEqualTo(new Recognition.NotLive("malformed"));
        assertThat(grants.recognise(token + "x", TestGrants.address("10.0.0.1")))
                .isEqualTo(new Recognition.NotLive("malformed"));
        assertThat(recognise(TestGrants.active(), "10.0.0.1")).isEqualTo(new Recognition.NotLive("unknown"));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
