package io.sallyport.admin.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sallyport.admin.GrantView;
import io.sallyport.admin.LastRequest;
import io.sallyport.admin.TaskHistory;
import io.sallyport.admin.TaskView;
import io.sallyport.admin.Tasks;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What runs now. */
@RestController
@RequestMapping("/api/v1")
@Tag(name = "Tasks and grants")
class TasksController {

    private static final int MOST = 10_000;
    private static final int LAST_REQUESTS = 20;

    private final Tasks tasks;
    private final TaskHistory history;

    TasksController(Tasks tasks, TaskHistory history) {
        this.tasks = tasks;
        this.history = history;
    }

    record TaskList(List<TaskView> tasks) {}

    record GrantList(List<GrantView> grants) {}

    /** @param neverUsed granted scopes that no request has used; null when the record is too long to tell at once */
    record OneTask(
            TaskView task,
            List<GrantView> grants,
            @JsonProperty("last_requests") List<LastRequest> lastRequests,
            @JsonProperty("never_used") @Nullable SortedSet<String> neverUsed) {}

    @GetMapping("/tasks")
    @Operation(summary = "The running tasks, newest first")
    TaskList tasks() {
        return new TaskList(tasks.running(MOST));
    }

    @GetMapping("/tasks/{id}")
    @Operation(summary = "A running task with its grants, its last requests, and the scopes that it never used")
    OneTask task(@PathVariable String id) {
        TaskView task = tasks.running(id)
                .orElseThrow(
                        () -> BadCall.notFound("No task " + id + " is running. Its record: /api/v1/ledger?task=" + id));
        return new OneTask(
                task,
                tasks.grantsOf(id),
                history.lastRequests(task, LAST_REQUESTS),
                history.neverUsed(task).orElse(null));
    }

    @GetMapping("/grants")
    @Operation(summary = "The standing grants")
    GrantList grants() {
        return new GrantList(tasks.standing(grant -> true, MOST));
    }
}
