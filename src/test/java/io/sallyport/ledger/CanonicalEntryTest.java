package io.sallyport.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.identity.Principal;
import io.sallyport.testing.TestLedger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

class CanonicalEntryTest {

    private static final JsonMapper JSON = JsonMapper.shared();

    @Test
    void a_use_has_exactly_these_bytes_and_this_leaf_hash() {
        assertThat(text(7, TestFacts.used("")))
                .isEqualTo("{\"book\":\"" + TestLedger.BOOK
                        + "\",\"complete\":true,\"credentials\":[\"github-acme\"],\"grant\":\"grant-1\",\"kind\":\"used\""
                        + ",\"method\":\"GET\",\"origin\":\"https://api.github.com\",\"policy\":\"site-fixer\""
                        + ",\"prefix_sha256\":\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\""
                        + ",\"removed\":[\"authorization\"],\"request_sha256\":\"" + TestFacts.sha("request of ")
                        + "\",\"scope\":\"read\",\"seq\":7,\"target\":\"/repos/acme/site\",\"task\":\"task-1\""
                        + ",\"time\":\"2026-12-01T10:00:00.123456Z\",\"v\":1,\"window_bytes\":0"
                        + ",\"workload\":\"cluster/agents:site-fixer\"}");
    }

    @Test
    void the_hashes_are_those_of_rfc_6962_and_of_the_chain() {
        Chain chain = new Chain();
        // RFC 6962's leaf hash of the empty string, as its test vectors have it.
        byte[] leaf = chain.leaf(new byte[0]);
        assertThat(Sha256.hex(leaf)).isEqualTo("6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
        assertThat(Sha256.hex(chain.next(Chain.start(), leaf)))
                .isEqualTo("64fdb2b463190df45dc976206ce8111d8c83680ddeb86778b7f9982d6822de6a");
    }

    @ParameterizedTest
    @MethodSource("facts")
    void every_kind_is_one_flat_object_with_sorted_members_and_no_nulls(Fact fact) {
        String text = text(1L << 40, fact);
        TreeMap<?, ?> sorted = JSON.readValue(text, TreeMap.class);
        assertThat(JSON.writeValueAsString(sorted)).isEqualTo(text);
        assertThat(text).doesNotContain("null");
        assertThat(Members.kind(fact)).matches("[a-z]+(-[a-z]+)*");
    }

    static Stream<Fact> facts() {
        Principal workload = new Principal("cluster", "w");
        Fact.Actor actor = new Fact.Actor("t", "g", "p", workload, new Principal("okta", "jo"));
        return Stream.of(
                new Fact.Exchanged(actor, Set.of("b", "a"), "2026-12-01T10:15:00Z", "parent", "why"),
                new Fact.Exchanged(actor, Set.of(), "2026-12-01T10:15:00Z", null, null),
                new Fact.ExchangeRefused(workload, "p", "invalid_scope", "cause", "10.0.0.1"),
                new Fact.ExchangeRefused(null, null, "invalid_client", "cause", "10.0.0.1"),
                TestFacts.used("content"),
                TestFacts.window(1, "a", "b", true),
                TestFacts.window(1, "a", "b", false),
                TestFacts.answered(1),
                new Fact.Refused(actor, null, "GET", "x", null, "no_scope", "reason", 403, List.of("cookie")),
                new Fact.Revoked("r", "operator", "{}", "reason", List.of("g"), 1),
                new Fact.Locked("l", "operator", "{}", "reason"),
                new Fact.Unlocked("l", "operator", "reason"),
                new Fact.Operated("operator", "credential put x"),
                new Fact.BookRead("operator", "d", "because"),
                new Fact.BookRead("operator", "d", null),
                new Fact.Started("v", "n", 0));
    }

    @Test
    void scopes_are_sorted_because_a_set_has_no_order() {
        assertThat(text(1, facts().findFirst().orElseThrow())).contains("\"scopes\":[\"a\",\"b\"]");
    }

    @Test
    void strings_have_the_shortest_escapes_and_nothing_else_is_escaped() {
        String text = "\u0000\b\t\n\u000b\f\r\u001f \"\\/\u007f\u0080é\u2028\u202e€😀";
        assertThat(string(text))
                .isEqualTo("\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f \\\"\\\\/\u007f\u0080é\u2028\u202e€😀\"");
    }

    @Test
    void half_a_surrogate_pair_is_visible_and_never_lost() {
        assertThat(string("a\ud83d")).isEqualTo("\"a\\ud83d\"");
        assertThat(string("\ude00b")).isEqualTo("\"\\ude00b\"");
        assertThat(string("\ude00\ud83d")).isEqualTo("\"\\ude00\\ud83d\"");
        assertThat(string("\ud83d\ud83d\ude00")).isEqualTo("\"\\ud83d😀\"");
        assertThat(string("\\ud83d")).isEqualTo("\"\\\\ud83d\"");
    }

    @Test
    void any_string_at_all_is_read_back_as_it_was() {
        Random random = new Random(11);
        for (int round = 0; round < 5_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(40); i > 0; i--) {
                text.append((char) (random.nextBoolean() ? random.nextInt(0x80) : random.nextInt(0x10000)));
            }
            assertThat(JSON.readValue(string(text.toString()), String.class)).isEqualTo(text.toString());
        }
    }

    @Test
    void a_long_value_is_kept_whole() {
        String target = "/" + "a€".repeat(50_000);
        assertThat(string(target)).isEqualTo("\"" + target + "\"");
    }

    @Test
    void a_member_given_twice_or_out_of_order_is_a_mistake() {
        CanonicalObject object = new CanonicalObject().begin().put("a", 1).put("b", 2);
        assertThatThrownBy(() -> object.put("a", 3)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> object.put("b", 3)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void numbers_are_written_as_they_are() {
        for (long number : new long[] {
            0, 9, 10, 99, 100, 65_536, Integer.MAX_VALUE, 1L + Integer.MAX_VALUE, -1, Long.MAX_VALUE, Long.MIN_VALUE
        }) {
            assertThat(new String(new JsonBytes().number(number).toBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(Long.toString(number));
        }
    }

    @Test
    void times_have_six_digits_always() {
        Timestamps timestamps = new Timestamps();
        assertThat(timestamps.text(0)).isEqualTo("1970-01-01T00:00:00.000000Z");
        assertThat(timestamps.text(1)).isEqualTo("1970-01-01T00:00:00.000001Z");
        assertThat(timestamps.text(-1)).isEqualTo("1969-12-31T23:59:59.999999Z");
        assertThat(timestamps.text(1_764_583_200_000_000L)).isEqualTo("2025-12-01T10:00:00.000000Z");
    }

    private static String text(long seq, Fact fact) {
        byte[] bytes = new Members().bytes(seq, LedgerView.micros(TestLedger.NOW), TestLedger.BOOK, fact);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String string(String text) {
        return new String(new JsonBytes().string(text).toBytes(), StandardCharsets.UTF_8);
    }
}
