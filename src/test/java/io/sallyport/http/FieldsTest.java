package io.sallyport.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldsTest {

    @ParameterizedTest
    @ValueSource(strings = {"close", "CLOSE", " close ", "keep-alive, close", "a,\tclose\t,b", ",close", "close,"})
    void a_listed_value_is_found_in_any_place_and_case(String value) {
        assertThat(Fields.of("X-Other", "close", "connection", value).lists("Connection", "close"))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "closed", "xclose", "clo,se", "close;q=1", "cl ose", "\"close\""})
    void what_only_resembles_it_is_not(String value) {
        assertThat(Fields.of("Connection", value, "Close", "close").lists("Connection", "close"))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "x, close"})
    void each_line_of_the_name_counts(String value) {
        assertThat(Fields.of("Connection", "upgrade", "CONNECTION", value).lists("connection", "close"))
                .isTrue();
    }
}
