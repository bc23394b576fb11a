package io.sallyport.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.TestStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random openings, charges, give-backs, ends, sweeps and restarts, compared after each step with a model too simple to be wrong. */
@Tag("slow")
class GrantsModelTest {

    private static final long DAY_USES = 60;

    /** A grant as the model sees it. */
    private static final class Model {
        final Grant grant;
        final Model parent;
        boolean ended;
        long uses;
        long bytes;

        Model(Grant grant, Model parent) {
            this.grant = grant;
            this.parent = parent;
        }

        boolean stands(TestTime time) {
            return !ended && time.instant().isBefore(grant.expiresAt()) && (parent == null || parent.stands(time));
        }

        boolean fits(int moreUses, long moreBytes) {
            return uses + moreUses <= grant.uses()
                    && bytes + moreBytes <= grant.bytesOut()
                    && (parent == null || parent.fits(moreUses, moreBytes));
        }

        void add(int moreUses, long moreBytes) {
            uses += moreUses;
            bytes += moreBytes;
            if (parent != null) {
                parent.add(moreUses, moreBytes);
            }
        }
    }

    @RegisterExtension
    final TestStore store = new TestStore();

    private final TestTime time = new TestTime();
    private final List<Model> models = new ArrayList<>();
    private final Map<Reservation.Reserved, Model> unsent = new HashMap<>();
    private TestGrants room;
    private long usedToday;
    private Random random;

    @ParameterizedTest
    @ValueSource(longs = {1, 20261130, 77})
    void whatever_happens_the_room_agrees_with_the_model(long seed) {
        random = new Random(seed);
        room = TestGrants.on(store, time);
        for (int step = 0; step < 400; step++) {
            step();
            for (Model model : models) {
                assertThat(room.grants().stands(model.grant))
                        .as("seed %d, step %d, %s", seed, step, model.grant.id())
                        .isEqualTo(model.stands(time));
            }
        }
        for (Model model : models) {
            assertThat(room.grants().usage(model.grant.id())).isEqualTo(new Grants.Usage(model.uses, model.bytes));
            assertThat(model.uses).isLessThanOrEqualTo(model.grant.uses());
        }
    }

    private void step() {
        int dice = random.nextInt(100);
        if (models.isEmpty() || dice < 12) {
            openRoot();
        } else if (dice < 30) {
            openChild(any());
        } else if (dice < 80) {
            charge(any());
        } else if (dice < 85) {
            giveBack();
        } else if (dice < 90) {
            end(any());
        } else if (dice < 95) {
            time.pass(Duration.ofSeconds(random.nextInt(60)));
        } else if (dice < 98) {
            room.forgetExpired();
        } else {
            store.reopen();
            room = TestGrants.on(store, time);
        }
    }

    private Model any() {
        return models.get(random.nextInt(models.size()));
    }

    private void openRoot() {
        Grant grant = TestGrants.with(draft -> {
            draft.opened = time.instant();
            draft.expires = time.instant().plusSeconds(30 + random.nextInt(600));
            draft.uses = 1 + random.nextInt(8);
            draft.bytesOut = random.nextInt(400);
        });
        room.open(grant);
        models.add(new Model(grant, null));
    }

    private void openChild(Model parent) {
        Grant child = TestGrants.childOf(parent.grant, draft -> {
            draft.uses = 1 + random.nextInt((int) parent.grant.uses());
            draft.bytesOut = random.nextInt((int) parent.grant.bytesOut() + 1);
        });
        boolean opened = room.tryOpen(child) instanceof Opening.Opened;
        assertThat(opened).isEqualTo(parent.stands(time));
        if (opened) {
            models.add(new Model(child, parent));
        }
    }

    private void charge(Model model) {
        int uses = random.nextInt(2);
        long bytes = random.nextInt(120);
        Reservation answer = room.reserve(
                new Charge(model.grant, "read", uses, bytes, null, OptionalLong.of(DAY_USES), OptionalLong.empty()));
        boolean expected = model.stands(time) && model.fits(uses, bytes) && usedToday + uses <= DAY_USES;
        assertThat(answer instanceof Reservation.Reserved)
                .as("%s for %s", answer, model.grant.id())
                .isEqualTo(expected);
        if (answer instanceof Reservation.Reserved reserved) {
            model.add(uses, bytes);
            usedToday += uses;
            unsent.put(reserved, model);
        }
    }

    private void giveBack() {
        unsent.entrySet().stream().findAny().ifPresent(entry -> {
            Reservation.Reserved reserved = entry.getKey();
            store.writer().write(tx -> {
                room.grants().giveBack(tx, reserved);
                return reserved;
            });
            entry.getValue().add(-reserved.charge().uses(), -reserved.charge().bytesOut());
            usedToday -= reserved.charge().uses();
            unsent.remove(reserved);
        });
    }

    private void end(Model model) {
        room.end(model.grant);
        model.ended = true;
    }
}
