package io.sallyport.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.document.Rate;
import io.sallyport.identity.Principal;
import io.sallyport.testing.TestStore;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Limits of uses, bytes, days and rates: exact, shared with ancestors, all or nothing. */
class BudgetsTest {

    private static final OptionalLong NONE = OptionalLong.empty();

    @RegisterExtension
    final TestStore store = new TestStore();

    private final TestTime time = new TestTime();
    private TestGrants room;

    @BeforeEach
    void open() {
        room = TestGrants.on(store, time);
    }

    private static Charge charge(Grant grant, int uses, long bytes) {
        return new Charge(grant, "read", uses, bytes, null, NONE, NONE);
    }

    private static Charge paced(Grant grant, String scope, int count, Duration per) {
        return new Charge(grant, scope, 1, 0, new Rate(count, per), NONE, NONE);
    }

    private static Charge daily(Grant grant, int uses, long bytes, long dayUses, long dayBytes) {
        return new Charge(grant, "read", uses, bytes, null, OptionalLong.of(dayUses), OptionalLong.of(dayBytes));
    }

    private static Predicate<Reservation> spent(String limit) {
        return answer ->
                answer instanceof Reservation.Spent spent && spent.limit().equals(limit);
    }

    private Reservation.Reserved reserved(Charge charge) {
        return (Reservation.Reserved) room.reserve(charge);
    }

    private void giveBack(Reservation.Reserved reserved) {
        store.writer().write(tx -> {
            room.grants().giveBack(tx, reserved);
            return reserved;
        });
    }

    private Grants.Usage usage(Grant grant) {
        return room.grants().usage(grant.id());
    }

    @Test
    void uses_run_out_exactly_at_their_limit() {
        Grant grant = room.open(TestGrants.with(draft -> draft.uses = 2));
        assertThat(reserved(charge(grant, 1, 0)).charge().grant()).isEqualTo(grant);
        reserved(charge(grant, 1, 0));
        assertThat(room.reserve(charge(grant, 1, 0))).matches(spent("uses"));
        assertThat(usage(grant)).isEqualTo(new Grants.Usage(2, 0));
        assertThat(room.reserve(charge(grant, 0, 5)))
                .as("a window of an admitted use goes on")
                .isInstanceOf(Reservation.Reserved.class);
    }

    @Test
    void bytes_run_out_exactly_at_their_limit() {
        Grant grant = room.open(TestGrants.with(draft -> draft.bytesOut = 100));
        assertThat(room.reserve(charge(grant, 1, 101))).matches(spent("bytes-out"));
        reserved(charge(grant, 1, 60));
        assertThat(room.reserve(charge(grant, 0, 41))).isEqualTo(new Reservation.Spent("bytes-out", 40));
        reserved(charge(grant, 0, 40));
        assertThat(usage(grant)).isEqualTo(new Grants.Usage(1, 100));
    }

    @Test
    void a_child_spends_what_is_its_parents_and_its_grandparents() {
        Grant root = room.open(TestGrants.with(draft -> draft.uses = 3));
        Grant child = room.open(TestGrants.childOf(root, draft -> draft.uses = 2));
        Grant grandchild = room.open(TestGrants.childOf(child));
        reserved(charge(grandchild, 1, 10));
        reserved(charge(root, 1, 10));

        assertThat(usage(root)).isEqualTo(new Grants.Usage(2, 20));
        assertThat(usage(child)).isEqualTo(new Grants.Usage(1, 10));
        reserved(charge(child, 1, 0));
        assertThat(room.reserve(charge(grandchild, 1, 0))).matches(spent("uses"));
        assertThat(usage(grandchild))
                .as("refused by an ancestor, nothing of it stays charged")
                .isEqualTo(new Grants.Usage(1, 10));
    }

    @Test
    void what_an_ancestor_refuses_takes_nothing_from_day_or_rate() {
        Grant root = room.open(TestGrants.with(draft -> draft.uses = 1));
        Grant child = room.open(TestGrants.childOf(root));
        reserved(charge(root, 1, 0));
        Charge all = new Charge(
                child, "read", 1, 5, new Rate(1, Duration.ofMinutes(1)), OptionalLong.of(1), OptionalLong.of(5));
        assertThat(room.reserve(all)).matches(spent("uses"));

        Grant other = room.open(TestGrants.active());
        Charge same = new Charge(
                other, "read", 1, 5, new Rate(1, Duration.ofMinutes(1)), OptionalLong.of(1), OptionalLong.of(5));
        assertThat(room.reserve(same)).isInstanceOf(Reservation.Reserved.class);
    }

    @Test
    void a_day_is_shared_by_all_tasks_of_a_workload_under_a_policy() {
        Grant one = room.open(TestGrants.active());
        Grant two = room.open(TestGrants.active());
        reserved(daily(one, 1, 10, 2, 100));
        reserved(daily(two, 1, 10, 2, 100));
        assertThat(room.reserve(daily(two, 1, 10, 2, 100))).matches(spent("day.uses"));
        assertThat(room.reserve(daily(one, 0, 81, 2, 100))).isEqualTo(new Reservation.Spent("day.bytes-out", 80));
        reserved(daily(one, 0, 80, 2, 100));
        assertThat(usage(two)).isEqualTo(new Grants.Usage(1, 10));

        Grant stranger = room.open(TestGrants.with(draft -> draft.workload = new Principal("cluster", "other")));
        Grant elsewhere = room.open(TestGrants.with(draft -> draft.policy = "other"));
        reserved(daily(stranger, 1, 10, 2, 100));
        reserved(daily(elsewhere, 1, 10, 2, 100));
    }

    @Test
    void a_first_charge_larger_than_the_day_is_refused() {
        Grant grant = room.open(TestGrants.active());
        assertThat(room.reserve(daily(grant, 1, 10, 0, 100))).matches(spent("day.uses"));
        assertThat(room.reserve(daily(grant, 1, 101, 1, 100))).matches(spent("day.bytes-out"));
        reserved(daily(grant, 1, 100, 1, 100));
    }

    @Test
    void one_of_the_two_limits_of_a_day_may_be_absent() {
        Grant grant = room.open(TestGrants.active());
        Charge usesOnly = new Charge(grant, "read", 1, 4_000, null, OptionalLong.of(2), NONE);
        reserved(usesOnly);
        reserved(usesOnly);
        assertThat(room.reserve(usesOnly)).matches(spent("day.uses"));
        Charge bytesOnly = new Charge(grant, "read", 1, 1, null, NONE, OptionalLong.of(8_000));
        assertThat(room.reserve(bytesOnly)).matches(spent("day.bytes-out"));
    }

    @Test
    void a_new_day_begins_at_midnight_utc() {
        Grant grant = room.open(TestGrants.with(draft -> draft.expires = TestTime.START.plus(Duration.ofDays(2))));
        reserved(daily(grant, 1, 0, 1, 1));
        time.pass(Duration.ofHours(12).minusMillis(1));
        assertThat(room.reserve(daily(grant, 1, 0, 1, 1))).matches(spent("day.uses"));
        time.pass(Duration.ofMillis(1));
        reserved(daily(grant, 1, 0, 1, 1));
    }

    @Test
    void what_is_given_back_after_midnight_goes_to_the_day_that_it_came_from() {
        Grant grant = room.open(TestGrants.with(draft -> draft.expires = TestTime.START.plus(Duration.ofDays(2))));
        Reservation.Reserved yesterday = reserved(daily(grant, 1, 7, 1, 7));
        time.pass(Duration.ofHours(12));
        reserved(daily(grant, 1, 0, 1, 7));
        giveBack(yesterday);
        assertThat(room.reserve(daily(grant, 1, 0, 1, 7))).matches(spent("day.uses"));
    }

    @Test
    void the_sweep_forgets_old_days_and_keeps_todays() {
        Grant grant = room.open(TestGrants.with(draft -> draft.expires = TestTime.START.plus(Duration.ofDays(9))));
        reserved(daily(grant, 1, 0, 1, 1));
        time.pass(Duration.ofDays(3));
        reserved(daily(grant, 1, 0, 1, 1));
        room.forgetExpired();
        assertThat(room.reserve(daily(grant, 1, 0, 1, 1))).matches(spent("day.uses"));
        long days = store.readers().read(connection -> {
            try (var rows = connection.createStatement().executeQuery("select count(*) from grant_day")) {
                return rows.getLong(1);
            }
        });
        assertThat(days).isEqualTo(1);
    }

    @Test
    void giving_back_restores_grant_ancestors_day_and_rate() {
        Grant root = room.open(TestGrants.with(draft -> draft.uses = 1));
        Grant child = room.open(TestGrants.childOf(root));
        Charge all = new Charge(
                child, "read", 1, 9, new Rate(1, Duration.ofHours(1)), OptionalLong.of(1), OptionalLong.of(9));
        Reservation.Reserved first = reserved(all);
        assertThat(room.reserve(all)).isInstanceOf(Reservation.TooSoon.class);
        giveBack(first);
        assertThat(usage(root)).isEqualTo(new Grants.Usage(0, 0));
        assertThat(usage(child)).isEqualTo(new Grants.Usage(0, 0));
        reserved(all);
    }

    @Test
    void giving_back_reaches_the_ancestors_of_a_grant_that_has_left_memory() {
        Grant root = room.open(TestGrants.active());
        Grant child = room.open(TestGrants.childOf(root));
        Reservation.Reserved first = reserved(charge(child, 1, 9));
        room.end(child);
        room.forgetExpired();
        giveBack(first);
        assertThat(usage(root)).isEqualTo(new Grants.Usage(0, 0));
    }

    @Test
    void a_rate_lets_a_full_allowance_through_at_once_then_one_each_share_of_the_time() {
        Grant grant = room.open(TestGrants.with(draft -> draft.uses = 100));
        Charge charge = paced(grant, "read", 3, Duration.ofMinutes(1));
        IntStream.range(0, 3).forEach(i -> reserved(charge));
        assertThat(room.reserve(charge)).isEqualTo(new Reservation.TooSoon("rate", Duration.ofSeconds(20)));
        time.pass(Duration.ofSeconds(20).minusMillis(1));
        assertThat(room.reserve(charge)).isEqualTo(new Reservation.TooSoon("rate", Duration.ofMillis(1)));
        time.pass(Duration.ofMillis(1));
        reserved(charge);
        assertThat(room.reserve(charge)).isEqualTo(new Reservation.TooSoon("rate", Duration.ofSeconds(20)));
        assertThat(usage(grant).uses()).isEqualTo(4);
    }

    @Test
    void idle_time_never_saves_up_more_than_one_allowance() {
        Grant grant = room.open(TestGrants.with(draft -> {
            draft.uses = 100;
            draft.expires = TestTime.START.plus(Duration.ofDays(1));
        }));
        Charge charge = paced(grant, "read", 3, Duration.ofMinutes(1));
        reserved(charge);
        time.pass(Duration.ofHours(5));
        IntStream.range(0, 3).forEach(i -> reserved(charge));
        assertThat(room.reserve(charge)).isInstanceOf(Reservation.TooSoon.class);
    }

    @Test
    void opening_more_tasks_does_not_widen_a_rate_and_neither_does_a_restart() {
        Charge first = paced(room.open(TestGrants.active()), "read", 1, Duration.ofMinutes(1));
        reserved(first);
        Grant second = room.open(TestGrants.active());
        assertThat(room.reserve(paced(second, "read", 1, Duration.ofMinutes(1))))
                .isInstanceOf(Reservation.TooSoon.class);
        store.reopen();
        open();
        assertThat(room.reserve(paced(second, "read", 1, Duration.ofMinutes(1))))
                .isInstanceOf(Reservation.TooSoon.class);

        reserved(paced(second, "pull", 1, Duration.ofMinutes(1)));
        reserved(paced(
                room.open(TestGrants.with(draft -> draft.workload = new Principal("cluster", "other"))),
                "read",
                1,
                Duration.ofMinutes(1)));
        reserved(paced(room.open(TestGrants.with(draft -> draft.policy = "other")), "read", 1, Duration.ofMinutes(1)));
    }

    @Test
    void a_window_of_an_admitted_use_is_not_held_up_by_the_rate() {
        Grant grant = room.open(TestGrants.active());
        reserved(paced(grant, "read", 1, Duration.ofMinutes(1)));
        Charge window = new Charge(grant, "read", 0, 5, new Rate(1, Duration.ofMinutes(1)), NONE, NONE);
        assertThat(room.reserve(window)).isInstanceOf(Reservation.Reserved.class);
    }

    @Test
    void a_wall_clock_set_back_holds_a_rate_up_for_no_longer_than_the_rate_itself() {
        Grant grant = room.open(TestGrants.with(draft -> draft.expires = TestTime.START.plus(Duration.ofDays(1))));
        Charge charge = paced(grant, "read", 1, Duration.ofMinutes(1));
        reserved(charge);
        time.passOnWallOnly(Duration.ofHours(-3));
        assertThat(room.reserve(charge)).isEqualTo(new Reservation.TooSoon("rate", Duration.ofMinutes(1)));
        time.passOnWallOnly(Duration.ofMinutes(1));
        reserved(charge);
    }

    @Test
    void a_grant_that_ended_or_expired_reserves_nothing_nor_does_its_child() {
        Grant root = room.open(TestGrants.active());
        Grant child = room.open(TestGrants.childOf(root));
        room.grants().endInMemory(List.of(root), EndReason.REVOKED);
        assertThat(room.reserve(charge(root, 1, 0))).isEqualTo(new Reservation.Ended("ended"));
        assertThat(room.reserve(charge(child, 1, 0))).isEqualTo(new Reservation.Ended("ended"));
        Grant other = room.open(TestGrants.active());
        time.pass(Duration.ofMinutes(15));
        assertThat(room.reserve(charge(other, 1, 0))).isEqualTo(new Reservation.Ended("expired"));
        assertThat(room.reserve(charge(TestGrants.active(), 1, 0))).isEqualTo(new Reservation.Ended("unknown"));
        assertThat(usage(other)).isEqualTo(new Grants.Usage(0, 0));
    }

    @Test
    void a_reservation_of_a_transaction_that_fails_is_none() {
        Grant grant = room.open(TestGrants.active());
        assertThatThrownBy(() -> store.writer().write(tx -> {
                    room.grants().reserve(tx, paced(grant, "read", 1, Duration.ofMinutes(1)));
                    throw new IllegalStateException("no entry");
                }))
                .hasMessageContaining("no entry");
        assertThat(usage(grant)).isEqualTo(new Grants.Usage(0, 0));
        reserved(paced(grant, "read", 1, Duration.ofMinutes(1)));
    }

    @Test
    void no_budget_is_exceeded_by_charges_that_come_at_the_same_time() {
        Grant root = room.open(TestGrants.with(draft -> {
            draft.uses = 500;
            draft.bytesOut = 1_000_000;
        }));
        List<Grant> children = IntStream.range(0, 4)
                .mapToObj(i -> room.open(TestGrants.childOf(root, draft -> draft.uses = 200)))
                .toList();
        List<CompletableFuture<Reservation>> answers = IntStream.range(0, 2_000)
                .parallel()
                .mapToObj(i ->
                        store.writer().submit(tx -> room.grants().reserve(tx, charge(children.get(i % 4), 1, 3))))
                .toList();
        long granted = answers.stream()
                .map(CompletableFuture::join)
                .filter(answer -> answer instanceof Reservation.Reserved)
                .count();
        assertThat(granted).isEqualTo(500);
        assertThat(usage(root)).isEqualTo(new Grants.Usage(500, 1_500));
        assertThat(children.stream().mapToLong(child -> usage(child).uses()).sum())
                .isEqualTo(500);
    }

    @Test
    void a_charge_is_never_negative() {
        Grant grant = TestGrants.active();
        assertThatThrownBy(() -> charge(grant, -1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> charge(grant, 0, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
