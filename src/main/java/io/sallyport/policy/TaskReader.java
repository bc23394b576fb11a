package io.sallyport.policy;

import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** Reads {@code task}. What a document leaves out is small, since nobody has asked for more. */
final class TaskReader {

    private static final Duration TTL = Duration.ofMinutes(15);
    private static final long USES = 500;
    private static final long BYTES_OUT = 20L << 20;
    private static final int MOST_DEPTH = 10;

    private static final Form<Duration> POSITIVE_TIME = Forms.DURATION.then(time ->
            time.isPositive() ? Reading.of(time) : Reading.unreadable("is no time at all; allowed: more than zero"));
    private static final Form<Long> POSITIVE = Forms.count(1, Long.MAX_VALUE);
    private static final Form<Binding> BINDING = Forms.oneOf(
            new TreeMap<>(Map.of("address", Binding.ADDRESS, "listener", Binding.LISTENER)),
            Set.of("dpop", "mtls", "none"));

    private TaskReader() {}

    static TaskLimits read(Keys policy) {
        return policy.optionalChild("task").map(TaskReader::limits).orElseGet(() -> limits(Keys.of(Map.of())));
    }

    private static TaskLimits limits(Keys task) {
        Optional<Keys> day = task.optionalChild("day");
        return new TaskLimits(
                task.optional("ttl", POSITIVE_TIME).orElse(TTL),
                task.optional("uses", POSITIVE).orElse(USES),
                task.optional("bytes-out", Forms.SIZE).orElse(BYTES_OUT),
                task.optional("depth", Forms.count(0, MOST_DEPTH)).orElse(0L).intValue(),
                unboxed(task.optional("at-once", POSITIVE)),
                unboxed(day.flatMap(keys -> keys.optional("uses", POSITIVE))),
                unboxed(day.flatMap(keys -> keys.optional("bytes-out", Forms.SIZE))),
                task.optional("binding", BINDING).orElse(Binding.ADDRESS));
    }

    private static OptionalLong unboxed(Optional<Long> number) {
        return number.map(OptionalLong::of).orElse(OptionalLong.empty());
    }
}
