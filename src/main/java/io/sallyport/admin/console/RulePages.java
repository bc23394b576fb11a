package io.sallyport.admin.console;

import io.sallyport.admin.Rules;
import io.sallyport.admin.Trials;
import java.util.Set;
import org.springframework.security.core.Authentication;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The rule book, for reading. */
@Controller
class RulePages {

    private static final Set<String> KINDS = Set.of("policy", "credential", "identity");

    private final Rules rules;
    private final Trials trials;

    RulePages(Rules rules, Trials trials) {
        this.rules = rules;
        this.trials = trials;
    }

    @GetMapping("/console/rules")
    String book(@RequestParam(defaultValue = "false") boolean reloaded, Model model) {
        model.addAttribute("digest", rules.digest());
        model.addAttribute("problems", rules.problems());
        model.addAttribute("reloaded", reloaded && rules.problems().isEmpty());
        model.addAttribute("policies", rules.policies());
        model.addAttribute("credentials", rules.credentials());
        model.addAttribute("identities", rules.documents("identity"));
        return "rules";
    }

    @GetMapping("/console/rules/{kind}/{name}")
    String document(@PathVariable String kind, @PathVariable String name, Model model) {
        model.addAttribute(
                "document",
                (KINDS.contains(kind) ? rules.document(kind, name) : java.util.Optional.empty())
                        .orElseThrow(() -> new PageFault(
                                404, "No such document", "The rule book has no " + kind + " " + name + ".")));
        return "document";
    }

    @PostMapping("/console/rules/reload")
    String reload(Authentication by) {
        rules.reload(by.getName());
        return "redirect:/console/rules?reloaded=true";
    }

    @PostMapping("/console/rules/credential/{name}/test")
    String test(@PathVariable String name, Model model, Authentication by) {
        model.addAttribute(
                "trial",
                trials.test(name, by.getName())
                        .orElseThrow(() -> new PageFault(
                                404, "No such document", "The rule book has no credential " + name + ".")));
        return document("credential", name, model);
    }
}
