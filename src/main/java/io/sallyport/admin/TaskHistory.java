package io.sallyport.admin;

import io.sallyport.ledger.Ledger;
import io.sallyport.ledger.Ledger.Entry;
import io.sallyport.ledger.Ledger.Page;
import io.sallyport.ledger.Ledger.Query;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a running task has done lately, and what it was granted and never did: read from the ledger. */
public final class TaskHistory {

    private static final int PAGE = 1_000;
    private static final int MOST_PAGES = 20;
    private static final Duration FIRST_LOOK = Duration.ofSeconds(5);
    private static final int FARTHER = 8;

    private final Ledger ledger;
    private final Clock clock;

    public TaskHistory(Ledger ledger, Clock clock) {
        this.ledger = ledger;
        this.clock = clock;
    }

    /**
     * Newest first. The ledger answers oldest first, so this looks back a little, then eight times farther, until it has enough: a busy task's
     * long past is never read for its last minute.
     */
    public List<LastRequest> lastRequests(TaskView task, int limit) {
        Instant now = clock.instant();
        for (Duration back = FIRST_LOOK; ; back = back.multipliedBy(FARTHER)) {
            Instant from = now.minus(back);
            boolean all = from.isBefore(task.openedAt());
            List<LastRequest> found = requests(tail(task.task(), all ? null : from, limit), limit);
            if (all || found.size() >= limit) {
                return found;
            }
        }
    }

    /** Granted scopes that no admitted request belongs to; empty when the record is too long to tell while somebody waits. */
    public Optional<SortedSet<String>> neverUsed(TaskView task) {
        SortedSet<String> unused = new TreeSet<>(task.scopes());
        long after = -1;
        for (int i = 0; i < MOST_PAGES; i++) {
            Page page = ledger.find(new Query(null, task.task(), null, "used", null, null, after, PAGE));
            page.entries()
                    .forEach(entry ->
                            unused.remove(EntryText.read(entry).path("scope").asString("")));
            if (unused.isEmpty() || !page.more()) {
                return Optional.of(unused);
            }
            after = page.entries().getLast().seq();
        }
        return Optional.empty();
    }

    /** The last entries since a time: enough to hold the wanted requests with their windows and outcomes. */
    private List<Entry> tail(String task, @Nullable Instant from, int limit) {
        Deque<Entry> tail = new ArrayDeque<>();
        long after = -1;
        while (true) {
            Page page = ledger.find(new Query(null, task, null, null, from, null, after, PAGE));
            for (Entry entry : page.entries()) {
                if (!entry.kind().equals("window")) {
                    tail.addLast(entry);
                }
                if (tail.size() > 4 * limit) {
                    tail.removeFirst();
                }
            }
            if (!page.more()) {
                return new ArrayList<>(tail);
            }
            after = page.entries().getLast().seq();
        }
    }

    private static List<LastRequest> requests(List<Entry> oldestFirst, int limit) {
        Map<Long, String> outcomes = new HashMap<>();
        List<LastRequest> requests = new ArrayList<>();
        List<Entry> newestFirst = new ArrayList<>(oldestFirst);
        Collections.reverse(newestFirst);
        for (Entry entry : newestFirst) {
            JsonNode said = EntryText.read(entry);
            switch (entry.kind()) {
                case "outcome" -> outcomes.put(said.path("use").asLong(-1), outcome(said));
                case "used" ->
                    requests.add(request(
                            entry,
                            said,
                            said.path("origin").asString(""),
                            outcomes.getOrDefault(entry.seq(), "running")));
                case "refused" ->
                    requests.add(request(
                            entry,
                            said,
                            said.path("destination").asString(""),
                            said.path("error").asString("refused")));
                default -> {}
            }
        }
        return requests.stream().limit(limit).toList();
    }

    private static LastRequest request(Entry entry, JsonNode said, String destination, String outcome) {
        return new LastRequest(
                entry.seq(),
                entry.time(),
                said.path("method").asString(""),
                destination,
                said.path("target").asString(null),
                said.path("scope").asString(null),
                entry.kind().equals("refused"),
                outcome);
    }

    private static String outcome(JsonNode said) {
        int status = said.path("status").asInt(0);
        String outcome = said.path("outcome").asString("");
        return status == 0 ? outcome : outcome.equals("answered") ? "" + status : outcome + ", " + status;
    }
}
