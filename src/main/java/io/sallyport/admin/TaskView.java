package io.sallyport.admin;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A running task: its first grant, and what it has used of it.
 *
 * @param uses of the limit {@code usesLimit}; children's uses are among them
 * @param bytesOut of the limit {@code bytesOutLimit}, in bytes
 * @param secondsLeft until the first grant ends by itself
 * @param grants how many stand: the first and those exchanged from it
 */
public record TaskView(
        String task,
        String policy,
        String workload,
        @Nullable String person,
        @Nullable String purpose,
        String isolation,
        @Nullable String address,
        BindingView binding,
        List<String> scopes,
        long uses,
        @JsonProperty("uses_limit") long usesLimit,
        @JsonProperty("bytes_out") long bytesOut,
        @JsonProperty("bytes_out_limit") long bytesOutLimit,
        @JsonProperty("opened_at") Instant openedAt,
        @JsonProperty("expires_at") Instant expiresAt,
        @JsonProperty("seconds_left") long secondsLeft,
        int grants) {

    /** Whole minutes and seconds, for a person. */
    public String timeLeft() {
        return secondsLeft >= 3600
                ? "%d h %02d min".formatted(secondsLeft / 3600, secondsLeft % 3600 / 60)
                : "%d min %02d s".formatted(secondsLeft / 60, secondsLeft % 60);
    }
}
