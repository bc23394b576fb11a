package io.sallyport.admin.console;

import io.sallyport.admin.EntryText;
import io.sallyport.ledger.Ledger;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Look-ups in the ledger: what left, when, for whom. */
@Controller
class LedgerPages {

    private static final int PAGE = 100;
    private static final List<String> KINDS = List.of(
            "exchanged",
            "exchange-refused",
            "used",
            "window",
            "handed-out",
            "outcome",
            "refused",
            "revoked",
            "locked",
            "unlocked",
            "operated",
            "book-read",
            "started");

    private final Ledger ledger;

    LedgerPages(Ledger ledger) {
        this.ledger = ledger;
    }

    /** What was asked for, as it was typed: shown again in the form. */
    public record Asked(
            @Nullable String sha256,
            @Nullable String task,
            @Nullable String kind,
            @Nullable String from,
            @Nullable String to) {

        public Asked {
            sha256 = sha256 == null || sha256.isBlank() ? null : sha256.strip().toLowerCase(Locale.ROOT);
            task = blank(task);
            kind = blank(kind);
            from = blank(from);
            to = blank(to);
        }

        private static @Nullable String blank(@Nullable String text) {
            return text == null || text.isBlank() ? null : text.strip();
        }
    }

    /** An entry as one line. */
    public record Row(
            long seq,
            Instant time,
            String kind,
            String what,
            @Nullable String task,
            boolean alarming) {

        static Row of(Ledger.Entry entry) {
            return new Row(
                    entry.seq(),
                    entry.time(),
                    entry.kind(),
                    EntryText.what(entry),
                    EntryText.task(entry),
                    entry.kind().endsWith("refused")
                            || entry.kind().equals("revoked")
                            || entry.kind().equals("locked"));
        }
    }

    @ModelAttribute("kinds")
    List<String> kinds() {
        return KINDS;
    }

    @GetMapping("/console/ledger")
    String find(Asked asked, @RequestParam(defaultValue = "-1") long after, Model model) {
        model.addAttribute("asked", asked);
        model.addAttribute("rows", List.of());
        try {
            Ledger.Page page = ledger.find(query(asked, after));
            List<Row> rows = page.entries().stream().map(Row::of).toList();
            model.addAttribute("rows", rows);
            if (page.more()) {
                model.addAttribute("next", rows.getLast().seq());
            }
        } catch (IllegalArgumentException | DateTimeParseException e) {
            model.addAttribute("mistake", "A SHA-256 is 64 hexadecimal digits; a time is a date and a time in UTC.");
        }
        return "ledger";
    }

    @GetMapping("/console/ledger/{seq}")
    String entry(@PathVariable long seq, Model model) {
        Ledger.Entry entry = ledger.entry(seq)
                .orElseThrow(() -> new PageFault(404, "No such entry", "The ledger has no entry " + seq + "."));
        model.addAttribute("entry", entry);
        model.addAttribute("row", Row.of(entry));
        model.addAttribute("fields", EntryText.members(entry));
        return "entry";
    }

    @PostMapping("/console/ledger/verify")
    String verify(Model model) {
        model.addAttribute("check", ledger.verify());
        return find(new Asked(null, null, null, null, null), -1, model);
    }

    private static Ledger.Query query(Asked asked, long after) {
        return new Ledger.Query(
                asked.sha256(),
                asked.task(),
                null,
                asked.kind(),
                instant(asked.from()),
                instant(asked.to()),
                Math.max(-1, after),
                PAGE);
    }

    private static @Nullable Instant instant(@Nullable String typed) {
        return typed == null ? null : LocalDateTime.parse(typed).toInstant(ZoneOffset.UTC);
    }
}
