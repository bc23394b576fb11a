package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ContentBudgetTest {

    private static final long MIB = 1024 * 1024;

    @Test
    void a_task_that_holds_much_is_tight_and_its_neighbours_are_not() {
        ContentBudget budget = new ContentBudget(Limits.of(10).withContent(8 * MIB, 2 * MIB));
        ContentBudget.Share one = budget.share("greedy");
        ContentBudget.Share two = budget.share("greedy");
        one.take(MIB);
        assertThat(two.tight()).isFalse();
        two.take(MIB);
        assertThat(one.tight()).isTrue();
        assertThat(budget.share("modest").tight()).isFalse();
        one.giveBack(1);
        assertThat(two.tight()).isFalse();
    }

    @Test
    void all_are_tight_when_all_together_hold_too_much_and_nothing_is_given_back_twice() {
        ContentBudget budget = new ContentBudget(Limits.of(10).withContent(2 * MIB, 2 * MIB));
        ContentBudget.Share one = budget.share("a");
        ContentBudget.Share two = budget.share("b");
        one.take(MIB);
        two.take(MIB);
        assertThat(budget.share("c").tight()).isTrue();
        one.close();
        one.giveBack(MIB);
        one.close();
        assertThat(budget.held()).isEqualTo(MIB);
        assertThat(budget.share("c").tight()).isFalse();
    }
}
