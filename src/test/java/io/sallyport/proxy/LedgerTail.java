package io.sallyport.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.ledger.Ledger;
import io.sallyport.store.Writer;
import io.sallyport.testing.TestHop;
import io.sallyport.testing.TestOrigin;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What was recorded since it was last asked, held against what arrived since then. */
final class LedgerTail {

    /** @param prefixes for each window's end, in bytes of content, the hash of all until there */
    record Use(String method, String target, NavigableMap<Long, String> prefixes, boolean complete) {
        private boolean of(TestOrigin.Received seen) {
            return complete
                    && seen.requestLine().equals(method + " " + target + " HTTP/1.1")
                    && prefixes.lastKey() == seen.content().length
                    && prefixes.lastEntry().getValue().equals(sha256(seen.content()));
        }

        /** These are the first bytes of what is on record, as far as hashes tell. */
        void assertBegins(byte[] content) {
            assertThat(prefixes.lastKey()).isGreaterThanOrEqualTo(content.length);
            assertThat(prefixes.getOrDefault((long) content.length, sha256(content)))
                    .isEqualTo(sha256(content));
        }
    }

    private static String sha256(byte[] content) {
        return HexFormat.of().formatHex(RequestHash.sha256().digest(content));
    }

    private static final JsonMapper JSON = JsonMapper.shared();

    private final TestHop hop;
    private final Map<Long, Use> uses = new LinkedHashMap<>();
    private long after = -1;

    LedgerTail(TestHop hop) {
        this.hop = hop;
        read();
        forget();
    }

    /** The hop is at rest. */
    void read() {
        hop.room(Writer.class).write(tx -> 0);
        while (true) {
            Ledger.Page page =
                    hop.room(Ledger.class).find(new Ledger.Query(null, null, null, null, null, null, after, 1000));
            for (Ledger.Entry entry : page.entries()) {
                JsonNode node = JSON.readTree(entry.canonical());
                after = node.path("seq").asLong();
                switch (node.path("kind").asString()) {
                    case "used" -> uses.put(after, use(node));
                    case "window" -> uses.computeIfPresent(node.path("use").asLong(), (seq, use) -> more(use, node));
                    default -> {
                        // Says nothing of content.
                    }
                }
            }
            if (!page.more()) {
                return;
            }
        }
    }

    private static Use use(JsonNode used) {
        NavigableMap<Long, String> prefixes = new TreeMap<>();
        prefixes.put(
                used.path("window_bytes").asLong(), used.path("prefix_sha256").asString());
        return new Use(
                used.path("method").asString(),
                used.path("target").asString(),
                prefixes,
                used.path("complete").asBoolean());
    }

    private static Use more(Use use, JsonNode window) {
        assertThat(window.path("offset").asLong()).isEqualTo(use.prefixes().lastKey());
        use.prefixes()
                .put(
                        window.path("offset").asLong()
                                + window.path("window_bytes").asLong(),
                        window.path("prefix_sha256").asString());
        return new Use(
                use.method(),
                use.target(),
                use.prefixes(),
                window.path("complete").asBoolean());
    }

    /** What is on record by now is held against nothing that comes. */
    void forget() {
        uses.clear();
    }

    /** What came of this target since the last call. */
    Use use(String target) {
        return uses.values().stream()
                .filter(use -> use.target().equals(target))
                .findFirst()
                .orElseThrow(() -> new AssertionError(target + " is not on record"));
    }

    /**
     * For each whole request that arrived there is a use of its own on record, with its content's size and hash. A use that nothing has
     * arrived for is kept: it may still be on its way.
     */
    void covers(List<TestOrigin.Received> received) {
        read();
        for (TestOrigin.Received seen : received) {
            Long of = uses.entrySet().stream()
                    .filter(use -> use.getValue().of(seen))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElse(null);
            assertThat(of)
                    .as("%s %s is on record", seen.head(), new String(seen.content(), ISO_8859_1))
                    .isNotNull();
            uses.remove(of);
        }
    }
}
