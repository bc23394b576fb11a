package io.sallyport.admin;

import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.grant.Grants.Usage;
import io.sallyport.grant.TaskListener;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The running tasks, put together from their standing grants. */
public final class Tasks {

    private final Grants grants;
    private final Function<Grant, Optional<TaskListener>> listeners;
    private final Clock clock;

    /** @param listeners the one that is open for a grant */
    public Tasks(Grants grants, Function<Grant, Optional<TaskListener>> listeners, Clock clock) {
        this.grants = grants;
        this.listeners = listeners;
        this.clock = clock;
    }

    /** Newest first, at most {@code limit}. */
    public List<TaskView> running(int limit) {
        Map<String, List<Grant>> byTask =
                grants.standing(grant -> true).stream().collect(Collectors.groupingBy(Grant::task));
        return byTask.values().stream()
                .sorted(Comparator.comparing((List<Grant> task) -> first(task).openedAt())
                        .reversed()
                        .thenComparing(task -> first(task).task()))
                .limit(limit)
                .map(this::view)
                .toList();
    }

    public Optional<TaskView> running(String task) {
        List<Grant> standing = grants.ofTask(task);
        return standing.isEmpty() ? Optional.empty() : Optional.of(view(standing));
    }

    public List<GrantView> grantsOf(String task) {
        return grants.ofTask(task).stream().map(this::view).toList();
    }

    /** The grants that stand and match, at most {@code limit}. */
    public List<GrantView> standing(Predicate<Grant> selector, int limit) {
        return grants.standing(selector).stream().limit(limit).map(this::view).toList();
    }

    private GrantView view(Grant grant) {
        return GrantView.of(grant, BindingView.of(grant, listeners.apply(grant)));
    }

    private TaskView view(List<Grant> task) {
        Grant first = first(task);
        Usage usage = grants.usage(first.id());
        Instant now = clock.instant();
        GrantView shown = view(first);
        return new TaskView(
                first.task(),
                first.policy(),
                shown.workload(),
                shown.person(),
                first.purpose(),
                shown.isolation(),
                first.address(),
                shown.binding(),
                shown.scopes(),
                usage.uses(),
                first.uses(),
                usage.bytesOut(),
                first.bytesOut(),
                first.openedAt(),
                first.expiresAt(),
                Math.max(0, Duration.between(now, first.expiresAt()).toSeconds()),
                task.size());
    }

    /** The widest that stands: the task's own first grant, unless only children of it are left. */
    private static Grant first(List<Grant> task) {
        return task.stream().min(Comparator.comparingInt(Grant::depth)).orElseThrow();
    }
}
