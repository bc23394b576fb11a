package io.sallyport.admin.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonRawValue;
import io.sallyport.ledger.Ledger;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The record, for reading. */
@RestController
@RequestMapping("/api/v1/ledger")
@Tag(name = "Ledger")
class LedgerController {

    private final Ledger ledger;

    LedgerController(Ledger ledger) {
        this.ledger = ledger;
    }

    /** @param entry the canonical entry, byte for byte what {@code leafHash} covers */
    record EntryView(
            long seq,
            Instant time,
            String kind,
            @JsonProperty("leaf_hash") String leafHash,
            @JsonProperty("chain_hash") String chainHash,

            @JsonRawValue @Schema(type = "object", additionalProperties = Schema.AdditionalPropertiesValue.TRUE)
            String entry) {

        static EntryView of(Ledger.Entry entry) {
            return new EntryView(
                    entry.seq(), entry.time(), entry.kind(), entry.leafHash(), entry.chainHash(), entry.canonical());
        }
    }

    /** @param more whether further entries match: ask again with {@code after} the last one's seq */
    record Found(List<EntryView> entries, boolean more) {}

    record Checked(
            boolean intact,
            long entries,
            @JsonProperty("chain_hash") String chainHash,
            @JsonProperty("first_bad") @Nullable Long firstBad,
            @Nullable String why) {}

    @GetMapping
    @Operation(summary = "Entries that match all that is given, oldest first")
    Found find(
            @RequestParam(required = false) @Nullable String sha256,
            @RequestParam(required = false) @Nullable String task,
            @RequestParam(required = false) @Nullable String grant,
            @RequestParam(required = false) @Nullable String kind,
            @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String to,
            @RequestParam(defaultValue = "-1") long after,
            @RequestParam(defaultValue = "100") int limit) {
        if (sha256 != null && !sha256.matches("[0-9a-f]{64}")) {
            throw BadCall.malformed("sha256", "This is no SHA-256.", "64 lower-case hexadecimal digits");
        }
        if (after < -1) {
            throw BadCall.malformed("after", "There is no such entry.", "-1 or a seq");
        }
        if (limit < 1 || limit > 1000) {
            throw BadCall.malformed("limit", "The limit is out of range.", "1 to 1000");
        }
        Ledger.Page page = ledger.find(
                new Ledger.Query(sha256, task, grant, kind, instant("from", from), instant("to", to), after, limit));
        return new Found(page.entries().stream().map(EntryView::of).toList(), page.more());
    }

    @GetMapping("/{seq}")
    @Operation(summary = "One entry")
    EntryView entry(@PathVariable long seq) {
        return ledger.entry(seq)
                .map(EntryView::of)
                .orElseThrow(() -> BadCall.notFound("The ledger has no entry " + seq + "."));
    }

    @PostMapping("/verify")
    @Operation(summary = "Recompute every hash from the stored bytes")
    Checked verify() {
        Ledger.Check check = ledger.verify();
        return new Checked(check.firstBad() == null, check.entries(), check.chainHash(), check.firstBad(), check.why());
    }

    private static @Nullable Instant instant(String where, @Nullable String text) {
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw BadCall.malformed(where, "This is no time.", "RFC 3339 in UTC, as in 2026-11-30T12:00:00Z");
        }
    }
}
