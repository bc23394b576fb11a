package io.sallyport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.ledger.Ledger;
import io.sallyport.store.Writer;
import io.sallyport.testing.TestHop;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the ledger says of one use: its entry, its further windows in order, and its outcome. */
record Entries(JsonNode used, List<JsonNode> windows, String outcome) {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** The newest use with this target. */
    static Entries of(TestHop hop, String target) {
        List<JsonNode> uses = all(hop, "used").stream()
                .filter(entry -> entry.path("target").asString().equals(target))
                .toList();
        assertThat(uses).as("uses of %s", target).isNotEmpty();
        JsonNode used = uses.getLast();
        long seq = used.path("seq").asLong();
        return new Entries(
                used,
                all(hop, "window").stream()
                        .filter(entry -> entry.path("use").asLong() == seq)
                        .toList(),
                all(hop, "outcome").stream()
                        .filter(entry -> entry.path("use").asLong() == seq)
                        .map(JsonNode::toString)
                        .findFirst()
                        .orElse(""));
    }

    static List<JsonNode> all(TestHop hop, String kind) {
        hop.room(Writer.class).write(tx -> 0);
        List<JsonNode> all = new ArrayList<>();
        long after = -1;
        while (true) {
            Ledger.Page page =
                    hop.room(Ledger.class).find(new Ledger.Query(null, null, null, kind, null, null, after, 1000));
            page.entries().forEach(entry -> all.add(JSON.readTree(entry.canonical())));
            if (!page.more()) {
                return all;
            }
            after = all.getLast().path("seq").asLong();
        }
    }

    /** Bytes of content that are on record. */
    long recorded() {
        return windows.isEmpty()
                ? used.path("window_bytes").asLong()
                : windows.getLast().path("offset").asLong()
                        + windows.getLast().path("window_bytes").asLong();
    }

    /** Each window begins where the one before ended, each hash is that of everything before its end, and the last is the whole. */
    void asserts(byte[] content) {
        assertPrefixOf(content);
        assertThat(recorded()).isEqualTo(content.length);
        JsonNode last = windows.isEmpty() ? used : windows.getLast();
        assertThat(last.path("complete").asBoolean()).isTrue();
        assertThat(last.path("request_sha256").asString()).hasSize(64);
    }

    /** The same for a content that was not sent to its end. */
    void assertPrefixOf(byte[] content) {
        MessageDigest all = RequestHash.sha256();
        int end = prefix(all, content, 0, used);
        for (JsonNode window : windows) {
            assertThat(window.path("offset").asInt()).isEqualTo(end);
            end = prefix(all, content, end, window);
        }
    }

    /** @return where the window ends */
    private static int prefix(MessageDigest all, byte[] content, int from, JsonNode window) {
        int length = window.path("window_bytes").asInt();
        all.update(content, from, length);
        try {
            byte[] soFar = ((MessageDigest) all.clone()).digest();
            assertThat(window.path("prefix_sha256").asString())
                    .isEqualTo(HexFormat.of().formatHex(soFar));
        } catch (CloneNotSupportedException impossible) {
            throw new IllegalStateException(impossible);
        }
        return from + length;
    }
}
