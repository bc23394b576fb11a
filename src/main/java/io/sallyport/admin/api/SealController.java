package io.sallyport.admin.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sallyport.admin.SealRotation;
import io.sallyport.admin.SealRotation.Ordered;
import io.sallyport.store.Resealing;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The key that seals the database: which one it is, what still needs another, and taking that over to it. */
@RestController
@RequestMapping("/api/v1/seal")
@Tag(name = "Seal")
class SealController {

    private final SealRotation rotation;

    SealController(SealRotation rotation) {
        this.rotation = rotation;
    }

    /** @param values that were sealed with it */
    record EarlierKey(String key, String place, long values) {}

    /**
     * The state of the seal.
     *
     * @param key id of the key that seals
     * @param place where it is from, as settings name it
     * @param waiting values that need another key than that
     * @param earlier those keys
     * @param sealed values that the order under way, or the last one, has sealed anew
     * @param unreadable what it could not open
     * @param stopped why it ended before its end; null where it did not
     */
    record SealState(
            String key,
            String place,
            long waiting,
            List<EarlierKey> earlier,
            boolean running,
            long sealed,
            List<String> unreadable,
            @Nullable String stopped) {}

    record Rotate(
            @Schema(description = "First have the service that keeps the key make another one")
            @JsonProperty("new_key")
            @Nullable
            Boolean newKey) {}

    @GetMapping
    @Operation(summary = "Which key seals, and how many values still need another")
    SealState state() {
        // Read first: an order that ends in between is shown as running, never as ended with something left.
        boolean running = rotation.running();
        Resealing.Status status = rotation.status();
        SealRotation.Progress progress = rotation.progress();
        return new SealState(
                status.key(),
                status.place(),
                status.waiting(),
                status.earlier().stream()
                        .map(key -> new EarlierKey(key.key(), key.place(), key.values()))
                        .toList(),
                running,
                progress.sealed(),
                progress.unreadable(),
                progress.stopped());
    }

    @PostMapping("/rotate")
    @Operation(
            summary =
                    "Seal anew, with the key that seals, whatever needs another; an order that is under way is joined")
    @ApiResponse(responseCode = "200", description = "Nothing needs another key")
    @ApiResponse(responseCode = "202", description = "Under way")
    @ApiResponse(
            responseCode = "409",
            description = "No service keeps the key, it gives none, or an order is under way")
    ResponseEntity<SealState> rotate(@RequestBody Rotate order, Authentication by) {
        return switch (rotation.rotate(Boolean.TRUE.equals(order.newKey()), by.getName())) {
            case Ordered.Runs _ -> ResponseEntity.status(HttpStatus.ACCEPTED).body(state());
            case Ordered.NothingToDo _ -> ResponseEntity.ok(state());
            case Ordered.Refused(String reason) -> throw BadCall.conflict(reason);
        };
    }
}
