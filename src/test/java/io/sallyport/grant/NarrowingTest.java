package io.sallyport.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.http.Origin;
import io.sallyport.identity.Principal;
import io.sallyport.testing.TestStore;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Never wider, never longer. */
class NarrowingTest {

    private static final Origin A = new Origin("https", "a.example", 443);
    private static final Origin B = new Origin("https", "b.example", 443);

    @RegisterExtension
    final TestStore store = new TestStore();

    private final Grant parent = TestGrants.with(draft -> {
        draft.scopes = Set.of("read", "pull");
        draft.resources = Set.of(A);
        draft.person = new Principal("staff", "ada");
    });

    private String wider(Consumer<TestGrants.Draft> change) {
        return Narrowing.violatedBy(TestGrants.childOf(parent, change), parent);
    }

    @Test
    void a_child_may_be_as_wide_as_its_parent_or_narrower() {
        assertThat(wider(draft -> {})).isNull();
        assertThat(wider(draft -> {
                    draft.scopes = Set.of("read");
                    draft.uses = 1;
                    draft.bytesOut = 1;
                    draft.expires = TestTime.START.plusSeconds(1);
                    draft.workload = new Principal("cluster", "helper");
                }))
                .isNull();
    }

    @Test
    void a_child_is_never_wider_in_anything() {
        assertThat(wider(draft -> draft.scopes = Set.of("read", "push"))).isEqualTo("more scopes");
        assertThat(wider(draft -> draft.resources = Set.of(A, B))).isEqualTo("more resources");
        assertThat(wider(draft -> draft.resources = Set.of())).isEqualTo("more resources");
        assertThat(wider(draft -> draft.uses++)).isEqualTo("a larger budget");
        assertThat(wider(draft -> draft.bytesOut++)).isEqualTo("a larger budget");
        assertThat(wider(draft -> draft.task = "task_other")).contains("another task");
        assertThat(wider(draft -> draft.policy = "other")).contains("another task, policy");
        assertThat(wider(draft -> draft.person = null)).contains("person");
        assertThat(wider(draft -> draft.depth++)).contains("depth");
    }

    @Test
    void a_child_never_lives_longer_than_its_parent() {
        assertThat(wider(draft -> draft.expires = parent.expiresAt().plusMillis(1)))
                .isEqualTo("a longer life");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/15", "10.2.0.0/16", "0.0.0.0/0", "fd00::1"})
    void a_child_is_never_bound_to_more_addresses(String address) {
        Grant bound = TestGrants.with(draft -> draft.address = "10.1.0.0/16");
        Grant child = TestGrants.childOf(bound, draft -> draft.address = address);
        assertThat(Narrowing.violatedBy(child, bound)).isEqualTo("a wider address");
    }

    @Test
    void a_child_is_never_unbound() {
        Grant bound = TestGrants.with(draft -> draft.address = "10.1.0.0/16");
        assertThat(Narrowing.violatedBy(TestGrants.childOf(bound, draft -> draft.address = null), bound))
                .isEqualTo("a wider address");
        assertThat(Narrowing.violatedBy(TestGrants.childOf(bound, draft -> draft.address = "10.1.2.3/32"), bound))
                .isNull();
    }

    @Test
    void whoever_computed_it_a_wider_child_is_not_opened() {
        TestGrants room = TestGrants.on(store, new TestTime());
        Grant root = room.open(TestGrants.active());
        Grant wider = TestGrants.childOf(root, draft -> draft.uses = root.uses() + 1);
        assertThatThrownBy(() -> room.tryOpen(wider))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a larger budget");
        assertThat(room.grants().stands(wider)).isFalse();
    }
}
