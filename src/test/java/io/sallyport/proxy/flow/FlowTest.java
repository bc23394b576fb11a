package io.sallyport.proxy.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.Charge;
import io.sallyport.grant.Reservation;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.ResponseHead;
import io.sallyport.proxy.Admission;
import io.sallyport.proxy.Recorded;
import io.sallyport.proxy.Refusal;
import io.sallyport.proxy.RefusalError;
import io.sallyport.proxy.Window;
import io.sallyport.testing.TestAdmissions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FlowTest {

    private static final Window WHOLE = new Window(0, 3, "aa", true);
    private static final Window FIRST = new Window(0, 3, "aa", false);
    private static final Window SECOND = new Window(3, 3, "bb", true);
    private static final ResponseHead SWITCHED = new ResponseHead(
            101,
            "",
            Fields.of(
                    "Connection",
                    "Upgrade",
                    "Upgrade",
                    "websocket",
                    "Sec-WebSocket-Accept",
                    "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
            new Framing.None(),
            false);
    private static final Refusal REFUSAL = Refusal.of(RefusalError.UPSTREAM_RESET, "gone");

    private final Flow flow = new Flow(false);

    @Test
    void a_request_is_recorded_before_it_is_connected_and_connected_before_it_is_sent() {
        Admission admission = get();
        assertThat(flow.on(new Event.Admitted(admission)))
                .containsExactly(new Command.GatherWindow(Command.Gathering.PATIENT, Long.MAX_VALUE));
        assertThat(flow.on(new Event.WindowClosed(WHOLE))).containsExactly(new Command.RecordUse(admission, WHOLE));
        assertThat(flow.on(recorded(7))).containsExactly(new Command.Connect(admission, false));
        assertThat(flow.on(new Event.UpstreamReady(true)))
                .containsExactly(new Command.SendHead(admission), new Command.ReleaseWindow(WHOLE));
        assertThat(flow.on(new Event.WindowReleased())).isEmpty();
        ResponseHead head = answer(200);
        assertThat(flow.on(new Event.AnswerBegan(head))).containsExactly(new Command.PassHead(head, false));
        assertThat(flow.on(new Event.AnswerEnded()))
                .containsExactly(
                        new Command.FinishAnswer(false),
                        new Command.RecordOutcome(admission, durable(7), "answered", 200, null),
                        new Command.Settle(admission));
        assertThat(flow.over()).isTrue();
    }

    @Test
    void a_further_window_leaves_only_when_its_record_is_durable() {
        Admission admission = relaying(FIRST);
        assertThat(flow.on(new Event.WindowReleased()))
                .containsExactly(new Command.GatherWindow(Command.Gathering.EAGER, Long.MAX_VALUE));
        assertThat(flow.on(new Event.WindowClosed(SECOND)))
                .containsExactly(new Command.RecordWindow(admission, 7, SECOND));
        assertThat(flow.on(recorded(8))).containsExactly(new Command.ReleaseWindow(SECOND));
        assertThat(flow.on(new Event.WindowReleased())).isEmpty();
    }

    @Test
    void what_waits_for_the_whole_content_is_completed_before_it_is_recorded() {
        Flow expecting = new Flow(true);
        Admission asked = TestAdmissions.whole(TestAdmissions.head("POST", new Framing.Length(3)), 1024);
        Admission completed = TestAdmissions.whole(TestAdmissions.head("POST", new Framing.Length(9)), 1024);
        assertThat(expecting.on(new Event.Admitted(asked)))
                .containsExactly(new Command.InviteContent(), new Command.GatherWindow(Command.Gathering.WHOLE, 1024));
        assertThat(expecting.on(new Event.WindowClosed(WHOLE))).containsExactly(new Command.Complete(asked));
        assertThat(expecting.on(new Event.Completed(completed)))
                .containsExactly(new Command.RecordUse(completed, WHOLE));
        assertThat(expecting.on(recorded(7))).containsExactly(new Command.Connect(completed, false));
    }

    @Test
    void content_without_a_place_is_refused_and_is_no_use() {
        Admission asked = TestAdmissions.whole(TestAdmissions.head("POST", new Framing.Length(3)), 1024);
        flow.on(new Event.Admitted(asked));
        flow.on(new Event.WindowClosed(WHOLE));
        assertThat(flow.on(new Event.ContentRefused(REFUSAL)))
                .containsExactly(new Command.Refuse(REFUSAL, true), new Command.Settle(asked));
        assertThat(flow.on(new Event.Completed(asked))).isEmpty();
    }

    @Test
    void with_expect_the_first_window_is_empty_at_once() {
        Flow expecting = new Flow(true);
        assertThat(expecting.on(new Event.Admitted(get())))
                .containsExactly(new Command.GatherWindow(Command.Gathering.EMPTY, Long.MAX_VALUE));
    }

    @Test
    void when_the_ledger_cant_write_nothing_is_dialled() {
        Admission admission = get();
        flow.on(new Event.Admitted(admission));
        flow.on(new Event.WindowClosed(WHOLE));
        List<Command> commands = flow.on(new Event.RecordFailed());
        assertThat(commands).hasSize(2).last().isEqualTo(new Command.Settle(admission));
        assertThat(commands.getFirst()).isInstanceOfSatisfying(Command.Refuse.class, refuse -> {
            assertThat(refuse.refusal().status()).isEqualTo(503);
            assertThat(refuse.record()).isFalse();
        });
    }

    @Test
    void a_stream_whose_next_window_cant_be_recorded_is_ended() {
        relaying(FIRST);
        flow.on(new Event.WindowReleased());
        flow.on(new Event.AnswerBegan(answer(200)));
        flow.on(new Event.WindowClosed(SECOND));
        assertThat(flow.on(new Event.RecordFailed())).startsWith(new Command.DropUpstream(), new Command.ResetAgent());
    }

    @Test
    void a_cut_ends_both_sides_and_says_so_in_the_ledger() {
        Admission admission = relaying(WHOLE);
        flow.on(new Event.WindowReleased());
        flow.on(new Event.AnswerBegan(answer(200)));
        assertThat(flow.on(new Event.WasCut("revoked")))
                .containsExactly(
                        new Command.DropUpstream(),
                        new Command.ResetAgent(),
                        new Command.RecordOutcome(admission, durable(7), "cut", 200, "revoked"),
                        new Command.Settle(admission));
    }

    @Test
    void a_cut_while_the_record_is_on_its_way_still_gets_an_outcome() {
        Admission admission = get();
        flow.on(new Event.Admitted(admission));
        flow.on(new Event.WindowClosed(WHOLE));
        assertThat(flow.on(new Event.WasCut("revoked"))).hasSize(1).first().isInstanceOf(Command.Refuse.class);
        assertThat(flow.on(recorded(7)))
                .containsExactly(
                        new Command.RecordOutcome(admission, durable(7), "cut", 0, "revoked"),
                        new Command.Settle(admission));
    }

    @Test
    void content_that_is_refused_while_its_use_is_being_recorded_gets_an_outcome() {
        Admission admission = get();
        flow.on(new Event.Admitted(admission));
        flow.on(new Event.WindowClosed(FIRST));
        assertThat(flow.on(new Event.ContentRefused(REFUSAL))).containsExactly(new Command.Refuse(REFUSAL, true));
        assertThat(flow.on(recorded(7)))
                .containsExactly(
                        new Command.RecordOutcome(admission, durable(7), "refused", 0, REFUSAL.error()),
                        new Command.Settle(admission));
    }

    @Test
    void content_that_is_refused_while_a_connection_is_being_made_is_never_sent() {
        Admission admission = get();
        connecting(admission, FIRST);
        assertThat(flow.on(new Event.ContentRefused(REFUSAL)))
                .anyMatch(command -> command instanceof Command.Refuse)
                .contains(new Command.Settle(admission));
        assertThat(flow.on(new Event.UpstreamReady(true))).containsExactly(new Command.DropUpstream());
    }

    /** Each use on record has exactly one outcome, and each admission is settled once, whatever came in whatever order. */
    @Test
    void every_record_has_its_outcome() {
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            Flow any = new Flow(random.nextBoolean());
            Admission admission = random.nextBoolean() ? get() : TestAdmissions.handshake();
            List<Command> done = new ArrayList<>(any.on(new Event.Admitted(admission)));
            done.addAll(any.on(new Event.WindowClosed(FIRST)));
            boolean recorded = false;
            for (int step = 0; step < 8; step++) {
                Event event = between(random, recorded);
                recorded |= event instanceof Event.WindowRecorded;
                done.addAll(any.on(event));
            }
            done.addAll(any.on(new Event.AgentLeft()));
            done.addAll(recorded ? List.of() : any.on(recorded(7)));
            assertThat(done.stream().filter(command -> command instanceof Command.RecordOutcome))
                    .as("seed %d", seed)
                    .hasSize(1);
            assertThat(done.stream().filter(command -> command instanceof Command.Settle))
                    .as("seed %d", seed)
                    .hasSize(1);
        }
    }

    private static Event between(Random random, boolean recorded) {
        return switch (random.nextInt(recorded ? 9 : 4)) {
            case 0 -> recorded ? new Event.WindowReleased() : recorded(7);
            case 1 -> new Event.ContentRefused(REFUSAL);
            case 2 -> new Event.WasCut("revoked");
            case 3 -> new Event.AgentLeft();
            case 4 -> new Event.UpstreamReady(random.nextBoolean());
            case 5 -> new Event.UpstreamFailed(REFUSAL, Touched.values()[random.nextInt(3)]);
            case 6 -> new Event.AnswerBegan(random.nextBoolean() ? SWITCHED : answer(200));
            case 7 -> new Event.AnswerEnded();
            default -> new Event.Faulted();
        };
    }

    @Test
    void an_old_connection_that_died_silently_is_replaced_once_for_a_get() {
        Admission admission = get();
        connecting(admission, WHOLE);
        flow.on(new Event.UpstreamReady(false));
        assertThat(flow.on(new Event.UpstreamFailed(REFUSAL, Touched.PERHAPS)))
                .containsExactly(new Command.DropUpstream(), new Command.Connect(admission, true));
        flow.on(new Event.UpstreamReady(false));
        assertThat(flow.on(new Event.UpstreamFailed(REFUSAL, Touched.PERHAPS)))
                .anyMatch(command -> command instanceof Command.Refuse)
                .noneMatch(command -> command instanceof Command.Connect);
    }

    @Test
    void a_post_is_never_sent_twice() {
        Admission admission = TestAdmissions.of(TestAdmissions.head("POST", new Framing.Length(3)), false);
        connecting(admission, WHOLE);
        flow.on(new Event.UpstreamReady(false));
        assertThat(flow.on(new Event.UpstreamFailed(REFUSAL, Touched.PERHAPS)))
                .noneMatch(command -> command instanceof Command.Connect);
    }

    @Test
    void what_the_destination_says_it_did_not_touch_is_sent_once_more_on_a_fresh_connection() {
        Admission admission = TestAdmissions.of(TestAdmissions.head("POST", new Framing.Length(3)), false);
        connecting(admission, WHOLE);
        flow.on(new Event.UpstreamReady(true));
        assertThat(flow.on(new Event.UpstreamFailed(REFUSAL, Touched.NOT)))
                .containsExactly(new Command.DropUpstream(), new Command.Connect(admission, true));
        assertThat(flow.on(new Event.UpstreamReady(true)))
                .containsExactly(new Command.SendHead(admission), new Command.ReleaseWindow(WHOLE));
        assertThat(flow.on(new Event.UpstreamFailed(REFUSAL, Touched.NOT)))
                .noneMatch(command -> command instanceof Command.Connect);
    }

    @Test
    void content_that_is_no_longer_here_is_not_sent_again() {
        Window large = new Window(0, 65 * 1024, "aa", true);
        for (Window first : List.of(FIRST, large)) {
            Flow sending = new Flow(false);
            sending.on(new Event.Admitted(get()));
            sending.on(new Event.WindowClosed(first));
            sending.on(recorded(7));
            sending.on(new Event.UpstreamReady(true));
            assertThat(sending.on(new Event.UpstreamFailed(REFUSAL, Touched.NOT)))
                    .noneMatch(command -> command instanceof Command.Connect);
        }
    }

    @Test
    void an_answer_that_breaks_off_is_no_whole_answer_for_the_agent() {
        relaying(WHOLE);
        flow.on(new Event.AnswerBegan(answer(200)));
        assertThat(flow.on(new Event.UpstreamFailed(REFUSAL, Touched.ANSWERED)))
                .contains(new Command.ResetAgent())
                .noneMatch(command -> command instanceof Command.FinishAnswer);
    }

    @Test
    void a_switched_connection_goes_on_in_windows_that_are_recorded_before_they_leave() {
        Admission admission = switched();
        Window said = new Window(0, 5, "cc", false);
        Window close = new Window(5, 2, "dd", true);
        assertThat(flow.on(new Event.WindowClosed(said))).containsExactly(new Command.RecordWindow(admission, 7, said));
        assertThat(flow.on(new Event.WindowReleased())).isEmpty();
        assertThat(flow.on(recorded(8))).containsExactly(new Command.ReleaseWindow(said));
        assertThat(flow.on(new Event.WindowReleased()))
                .containsExactly(new Command.GatherWindow(Command.Gathering.EAGER, Long.MAX_VALUE));
        assertThat(flow.on(new Event.AnswerEnded())).isEmpty();
        flow.on(new Event.WindowClosed(close));
        assertThat(flow.on(recorded(9))).containsExactly(new Command.ReleaseWindow(close));
        assertThat(flow.on(new Event.WindowReleased()))
                .containsExactly(
                        new Command.FinishAnswer(false),
                        new Command.RecordOutcome(admission, durable(7), "answered", 101, null),
                        new Command.Settle(admission));
    }

    @Test
    void a_cut_of_a_switched_connection_drops_the_destination_first_and_says_why() {
        Admission admission = switched();
        assertThat(flow.on(new Event.WasCut("revoked")))
                .containsExactly(
                        new Command.DropUpstream(),
                        new Command.HangUp(1008, "grant ended"),
                        new Command.RecordOutcome(admission, durable(7), "cut", 101, "revoked"),
                        new Command.Settle(admission));
        assertThat(flow.over()).isTrue();
    }

    @Test
    void a_switch_that_nobody_asked_for_is_a_fault_of_the_destination() {
        relaying(WHOLE);
        assertThat(flow.on(new Event.AnswerBegan(SWITCHED)))
                .startsWith(new Command.DropUpstream())
                .noneMatch(command -> command instanceof Command.SwitchProtocols);
    }

    private Admission switched() {
        Admission admission = TestAdmissions.handshake();
        connecting(admission, WHOLE);
        flow.on(new Event.UpstreamReady(true));
        flow.on(new Event.WindowReleased());
        assertThat(flow.on(new Event.AnswerBegan(SWITCHED)))
                .containsExactly(
                        new Command.SwitchProtocols(SWITCHED, admission.handshake()),
                        new Command.GatherWindow(Command.Gathering.EAGER, Long.MAX_VALUE));
        return admission;
    }

    @Test
    void a_coded_answer_to_a_credentialed_request_is_refused() {
        Admission admission = TestAdmissions.of(TestAdmissions.head("GET", new Framing.None()), true);
        connecting(admission, WHOLE);
        flow.on(new Event.UpstreamReady(true));
        ResponseHead coded =
                new ResponseHead(200, "OK", Fields.of("Content-Encoding", "compress"), new Framing.Length(9), false);
        assertThat(flow.on(new Event.AnswerBegan(coded))).first().isEqualTo(new Command.DropUpstream());
    }

    @Test
    void an_interim_answer_is_passed_and_never_taken_for_the_final_one() {
        relaying(WHOLE);
        ResponseHead hints = answer(103);
        assertThat(flow.on(new Event.AnswerBegan(hints))).containsExactly(new Command.PassInterim(hints));
        ResponseHead last = answer(200);
        assertThat(flow.on(new Event.AnswerBegan(last))).first().isInstanceOf(Command.PassHead.class);
    }

    @Test
    void whatever_happens_in_whatever_order_nothing_is_sent_before_its_record_and_nothing_after_the_end() {
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            Flow any = new Flow(random.nextBoolean());
            Admission admission = random.nextBoolean() ? get() : TestAdmissions.handshake();
            boolean durable = false;
            boolean wasOver = false;
            int settled = 0;
            for (int step = 0; step < 12; step++) {
                Event event = event(random, admission);
                for (Command command : any.on(event)) {
                    durable |= command instanceof Command.Connect;
                    if (command instanceof Command.SendHead || command instanceof Command.ReleaseWindow) {
                        assertThat(durable).as("seed %d", seed).isTrue();
                        assertThat(wasOver).as("seed %d", seed).isFalse();
                    }
                    if (command instanceof Command.Settle) {
                        settled++;
                    }
                }
                wasOver = any.over();
            }
            assertThat(settled).as("seed %d", seed).isLessThanOrEqualTo(12);
        }
    }

    private static Event event(Random random, Admission admission) {
        List<Event> all = new ArrayList<>(List.of(
                new Event.Admitted(admission),
                new Event.WindowClosed(FIRST),
                new Event.WindowClosed(SECOND),
                recorded(7),
                recorded(8),
                new Event.UpstreamReady(random.nextBoolean()),
                new Event.WindowReleased(),
                new Event.AnswerBegan(random.nextBoolean() ? SWITCHED : answer(200)),
                new Event.AnswerEnded(),
                new Event.WasCut("revoked"),
                new Event.AgentLeft(),
                new Event.RecordFailed(),
                new Event.RecordDenied(REFUSAL),
                new Event.Refused(REFUSAL),
                new Event.ContentRefused(REFUSAL),
                new Event.UpstreamFailed(REFUSAL, Touched.values()[random.nextInt(3)])));
        // The usual order more often than not, or most runs would end at the gate.
        return all.get(random.nextInt(3) == 0 ? random.nextInt(all.size()) : random.nextInt(9));
    }

    private Admission relaying(Window first) {
        Admission admission = get();
        connecting(admission, first);
        flow.on(new Event.UpstreamReady(true));
        return admission;
    }

    private void connecting(Admission admission, Window first) {
        flow.on(new Event.Admitted(admission));
        flow.on(new Event.WindowClosed(first));
        flow.on(recorded(7));
    }

    private static Admission get() {
        return TestAdmissions.of(TestAdmissions.head("GET", new Framing.None()), false);
    }

    private static ResponseHead answer(int status) {
        return new ResponseHead(status, "", Fields.EMPTY, new Framing.None(), false);
    }

    private static Event recorded(long seq) {
        return new Event.WindowRecorded(durable(seq));
    }

    private static Recorded.Durable durable(long seq) {
        Charge charge =
                new Charge(TestAdmissions.grant(), "read", 1, 10, null, OptionalLong.empty(), OptionalLong.empty());
        return new Recorded.Durable(seq, new Reservation.Reserved(charge, 0));
    }
}
