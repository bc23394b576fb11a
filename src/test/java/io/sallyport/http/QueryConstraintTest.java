package io.sallyport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryConstraintTest {

    private static final QueryConstraint STATE =
            new QueryConstraint(Map.of("state", List.of("open", "on hold", "größer")));

    private static QueryConstraint.Outcome check(QueryConstraint constraint, String query) {
        return constraint.check(Target.parse("/x" + query).orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({
        "?state=open, Met",
        "?a=1&state=open&b=2, Met",
        "?st%61te=%6Fpen, Met",
        "?state=on+hold, Met",
        "?state=on%20hold, Met",
        "?state=gr%C3%B6%C3%9Fer, Met",
        "?state=closed, Unmet",
        "?state=, Unmet",
        "?state, Unmet",
        "?State=open, Unmet",
        "?a=1, Unmet",
        "'', Unmet",
        "?state=open;x=1, Unmet",
        "?a=1;state=open, Unmet",
        "?state[]=open, Unmet",
        "?state=open&state=open, Ambiguous",
        "?state=open&st%61te=closed, Ambiguous",
        "?a=1;state=closed&state=open, Ambiguous",
        "?state=open&state[]=closed, Ambiguous",
        "?state=open&%20state=closed, Ambiguous",
        "?state=open&+state=closed, Ambiguous",
    })
    void a_constrained_parameter_has_one_allowed_value(String query, String outcome) {
        assertThat(check(STATE, query).getClass().getSimpleName()).isEqualTo(outcome);
    }

    @Test
    void none_means_no_query() {
        QueryConstraint none = new QueryConstraint(Map.of());
        assertThat(check(none, "")).isInstanceOf(QueryConstraint.Outcome.Met.class);
        assertThat(check(none, "?")).isInstanceOf(QueryConstraint.Outcome.Met.class);
        assertThat(check(none, "?a")).isInstanceOf(QueryConstraint.Outcome.Unmet.class);
    }
}
