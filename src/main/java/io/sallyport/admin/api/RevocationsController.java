package io.sallyport.admin.api;

import io.sallyport.http.Parsed;
import io.sallyport.revocation.Lock;
import io.sallyport.revocation.Receipt;
import io.sallyport.revocation.Revocations;
import io.sallyport.revocation.Selector;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Ends what runs, and keeps it ended. */
@RestController
@RequestMapping("/api/v1")
@Tag(name = "Revocations and locks")
class RevocationsController {

    private static final int LONGEST_REASON = 1000;

    private final Revocations revocations;

    RevocationsController(Revocations revocations) {
        this.revocations = revocations;
    }

    /** @param select one or more keys, joined by AND; {@code all} stands alone */
    record Order(
            @Schema(
                    requiredMode = Schema.RequiredMode.REQUIRED,
                    example = "{\"task\":\"t-1\"}",
                    description =
                            "task, grant, workload, person, policy, credential, destination with text; or all with true")
            @Nullable
            Map<String, @Nullable Object> select,

            @Schema(requiredMode = Schema.RequiredMode.REQUIRED, example = "leaked in a build log") @Nullable
            String reason) {}

    record LockView(String id, String revocation, Map<String, Object> select, String reason, String by, Instant since) {

        static LockView of(Lock lock) {
            return new LockView(
                    lock.id(), lock.revocation(), lock.selector().asMap(), lock.reason(), lock.by(), lock.since());
        }
    }

    record LockList(List<LockView> locks) {}

    @PostMapping("/revocations")
    @Operation(summary = "End every grant that matches, now; wider than a task or grant it also locks")
    @ApiResponse(responseCode = "200", description = "Ended, and on disk")
    @ApiResponse(
            responseCode = "202",
            description = "Ended in memory and flows cut; the record waits for the store and is retried")
    ResponseEntity<Receipt> revoke(@RequestBody Order order, Authentication by) {
        return answer(revocations.order(selector(order.select()), reason(order.reason()), by.getName()));
    }

    @GetMapping("/revocations/{id}")
    @Operation(summary = "What an order did, as it is by now")
    ResponseEntity<Receipt> revocation(@PathVariable String id) {
        return answer(
                revocations.find(id).orElseThrow(() -> BadCall.notFound("No revocation " + id + " was ordered.")));
    }

    @GetMapping("/locks")
    @Operation(summary = "The locks that stand, oldest first")
    LockList locks() {
        return new LockList(revocations.locks().stream().map(LockView::of).toList());
    }

    @PostMapping("/locks")
    @Operation(summary = "Lock what matches: no exchange until it is lifted, and what stands ends")
    @ApiResponse(responseCode = "200", description = "Locked, and on disk")
    @ApiResponse(responseCode = "202", description = "Locked in memory; the record waits for the store and is retried")
    ResponseEntity<Receipt> lock(@RequestBody Order order, Authentication by) {
        Selector selector = selector(order.select());
        if (!selector.wide()) {
            throw BadCall.malformed(
                    "select",
                    "A task or a grant is not locked: once ended it can't be opened again.",
                    "workload, person, policy, credential, destination, or all");
        }
        return answer(revocations.order(selector, reason(order.reason()), by.getName()));
    }

    @DeleteMapping("/locks/{id}")
    @Operation(summary = "Lift a lock; grants that it ended stay ended")
    @ApiResponse(responseCode = "204", description = "Lifted, and on disk")
    ResponseEntity<Void> lift(@PathVariable String id, @RequestParam String reason, Authentication by) {
        if (!revocations.lift(id, reason(reason), by.getName())) {
            throw BadCall.notFound("No lock " + id + " stands.");
        }
        return ResponseEntity.noContent().build();
    }

    private static ResponseEntity<Receipt> answer(Receipt receipt) {
        return ResponseEntity.status(receipt.durable() ? 200 : 202).body(receipt);
    }

    private static Selector selector(@Nullable Map<String, @Nullable Object> select) {
        return switch (Selector.parse(select == null ? Map.of() : select)) {
            case Parsed.Valid<Selector>(Selector selector) -> selector;
            case Parsed.Malformed<Selector>(String why) ->
                throw BadCall.malformed(
                        "select",
                        why,
                        "one or more of task, grant, workload, person, policy, credential, destination; or all: true");
        };
    }

    private static String reason(@Nullable String reason) {
        if (reason == null || reason.isBlank() || reason.length() > LONGEST_REASON) {
            throw BadCall.malformed("reason", "A reason is needed: it is kept in the ledger.", "1 to 1000 characters");
        }
        return reason.strip();
    }
}
