package io.sallyport.admin.console;

import io.sallyport.admin.Confirmations;
import io.sallyport.admin.Confirmations.Confirmed;
import io.sallyport.admin.Rules;
import io.sallyport.admin.Trials;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.springframework.security.core.Authentication;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriUtils;

/** The rule book, for reading. */
@Controller
class RulePages {

    private static final Set<String> KINDS = Set.of("policy", "credential", "identity");

    private final Rules rules;
    private final Trials trials;
    private final Confirmations confirmations;

    RulePages(Rules rules, Trials trials, Confirmations confirmations) {
        this.rules = rules;
        this.trials = trials;
        this.confirmations = confirmations;
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
        if (kind.equals("credential")) {
            model.addAttribute("unconfirmed", confirmations.unconfirmed(name).orElse(List.of()));
            model.addAttribute("confirmed", confirmations.confirmed(name));
        }
        return "document";
    }

    @PostMapping("/console/rules/reload")
    String reload(Authentication by) {
        rules.reload(by.getName());
        return "redirect:/console/rules?reloaded=true";
    }

    @PostMapping("/console/rules/credential/{name}/test")
    String test(@PathVariable String name, Model model, Authentication by) {
        model.addAttribute("trial", trials.test(name, by.getName()).orElseThrow(() -> noCredential(name)));
        return document("credential", name, model);
    }

    /** @param form each {@code place} as the page showed it; a list of them would be cut at its commas */
    @PostMapping("/console/rules/credential/{name}/confirm")
    String confirm(@PathVariable String name, @RequestParam MultiValueMap<String, String> form, Authentication by) {
        List<String> shown = form.getOrDefault("place", List.of());
        return switch (confirmations.confirm(name, shown, by.getName())) {
            case Confirmed.Done _ ->
                "redirect:/console/rules/credential/" + UriUtils.encodePathSegment(name, StandardCharsets.UTF_8);
            case Confirmed.Unknown _ -> throw noCredential(name);
            case Confirmed.Others _ ->
                throw new PageFault(
                        409,
                        "Not confirmed",
                        "What has to be confirmed of " + name + " is no longer what the page showed. Open it again.");
        };
    }

    private static PageFault noCredential(String name) {
        return new PageFault(404, "No such document", "The rule book has no credential " + name + ".");
    }
}
