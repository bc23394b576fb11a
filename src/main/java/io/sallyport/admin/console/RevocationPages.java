package io.sallyport.admin.console;

import io.sallyport.admin.Tasks;
import io.sallyport.http.Parsed;
import io.sallyport.revocation.GrantReach;
import io.sallyport.revocation.Receipt;
import io.sallyport.revocation.Revocations;
import io.sallyport.revocation.Selector;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.security.core.Authentication;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Ends by selector, and shows first what an order would end. */
@Controller
class RevocationPages {

    private static final List<Key> KEYS = List.of(
            new Key("task", "Task", "id"),
            new Key("grant", "Grant", "id"),
            new Key("workload", "Workload", "IDENTITY/SUBJECT"),
            new Key("person", "Person", "IDENTITY/SUBJECT"),
            new Key("policy", "Policy", "name"),
            new Key("credential", "Credential", "name"),
            new Key("destination", "Destination", "https://api.example.com"));

    private final Revocations revocations;
    private final Tasks tasks;
    private final GrantReach reach;

    RevocationPages(Revocations revocations, Tasks tasks, GrantReach reach) {
        this.revocations = revocations;
        this.tasks = tasks;
        this.reach = reach;
    }

    /** A field of the form. */
    public record Key(String name, String label, String example) {}

    @ModelAttribute("keys")
    List<Key> keys() {
        return KEYS;
    }

    @GetMapping("/console/revoke")
    String form(@RequestParam Map<String, String> given, Model model) {
        model.addAttribute("given", given);
        Map<String, Object> select = select(given);
        if (!select.isEmpty()) {
            count(select, model);
        }
        return "revoke";
    }

    /** The count alone, while the form is filled in. */
    @GetMapping("/console/revoke/matches")
    String matches(@RequestParam Map<String, String> given, Model model) {
        return form(given, model) + " :: matches";
    }

    @PostMapping("/console/revoke")
    String revoke(@RequestParam Map<String, String> given, Authentication by) {
        String reason = given.getOrDefault("reason", "");
        Reasons.check(reason);
        return switch (Selector.parse(select(given))) {
            case Parsed.Valid<Selector>(Selector selector) ->
                "redirect:/console/revocations/"
                        + revocations
                                .order(selector, reason.strip(), by.getName())
                                .id();
            case Parsed.Malformed<Selector>(String why) -> throw new PageFault(400, "Nothing was revoked", why);
        };
    }

    @GetMapping("/console/revocations/{id}")
    String receipt(@PathVariable String id, Model model) {
        Receipt receipt = revocations
                .find(id)
                .orElseThrow(() -> new PageFault(404, "No such revocation", "No revocation " + id + " was ordered."));
        model.addAttribute("receipt", receipt);
        return "receipt";
    }

    @GetMapping("/console/locks")
    String locks(Model model) {
        model.addAttribute("locks", revocations.locks());
        return "locks";
    }

    @PostMapping("/console/locks/{id}/lift")
    String lift(@PathVariable String id, @RequestParam String reason, Authentication by) {
        Reasons.check(reason);
        if (!revocations.lift(id, reason.strip(), by.getName())) {
            throw new PageFault(404, "No such lock", "No lock " + id + " stands.");
        }
        return "redirect:/console/locks";
    }

    private void count(Map<String, Object> select, Model model) {
        switch (Selector.parse(select)) {
            case Parsed.Valid<Selector>(Selector selector) -> {
                model.addAttribute("locks", selector.wide());
                model.addAttribute(
                        "matching", tasks.standing(grant -> selector.matches(grant, reach), Integer.MAX_VALUE));
            }
            case Parsed.Malformed<Selector>(String why) -> model.addAttribute("mistake", why);
        }
    }

    private static Map<String, Object> select(Map<String, String> given) {
        Map<String, Object> select = new LinkedHashMap<>();
        KEYS.forEach(key -> {
            String value = given.getOrDefault(key.name(), "").strip();
            if (!value.isEmpty()) {
                select.put(key.name(), value);
            }
        });
        if ("true".equals(given.get("all"))) {
            select.put("all", true);
        }
        return select;
    }
}
