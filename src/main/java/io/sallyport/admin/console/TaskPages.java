package io.sallyport.admin.console;

import io.sallyport.admin.Rules;
import io.sallyport.admin.TaskHistory;
import io.sallyport.admin.TaskView;
import io.sallyport.admin.Tasks;
import io.sallyport.revocation.Receipt;
import io.sallyport.revocation.Revocations;
import io.sallyport.revocation.Selector;
import java.util.TreeSet;
import org.springframework.security.core.Authentication;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** What runs now, and the button that ends one. */
@Controller
class TaskPages {

    private static final int MOST = 200;
    private static final int LAST_REQUESTS = 15;

    private final Tasks tasks;
    private final TaskHistory history;
    private final Rules rules;
    private final Revocations revocations;

    TaskPages(Tasks tasks, TaskHistory history, Rules rules, Revocations revocations) {
        this.tasks = tasks;
        this.history = history;
        this.rules = rules;
        this.revocations = revocations;
    }

    @GetMapping("/console")
    String running(Model model) {
        model.addAttribute("tasks", tasks.running(MOST));
        model.addAttribute("problems", rules.problems());
        return "tasks";
    }

    /** The table alone, for the page that keeps itself fresh. */
    @GetMapping("/console/running")
    String runningOnly(Model model) {
        return running(model) + " :: running";
    }

    @GetMapping("/console/tasks/{id}")
    String task(@PathVariable String id, Model model) {
        TaskView task = tasks.running(id).orElseThrow(() -> notRunning(id));
        model.addAttribute("task", task);
        model.addAttribute("requests", history.lastRequests(task, LAST_REQUESTS));
        model.addAttribute("neverUsed", history.neverUsed(task).orElseGet(TreeSet::new));
        return "task";
    }

    @PostMapping("/console/tasks/{id}/end")
    String end(@PathVariable String id, @RequestParam String reason, @RequestParam String sure, Authentication by) {
        if (tasks.running(id).isEmpty()) {
            throw notRunning(id);
        }
        Reasons.check(reason);
        if (!sure.equals("yes")) {
            throw new PageFault(400, "Not ended", "The task was not confirmed.");
        }
        Receipt receipt = revocations.order(Selector.ofTask(id), reason.strip(), by.getName());
        return "redirect:/console/revocations/" + receipt.id();
    }

    private static PageFault notRunning(String id) {
        return new PageFault(
                404,
                "Not running",
                "The task " + id + " has ended, or there never was one. The ledger has its record.");
    }
}
