package io.sallyport.admin.api;

import io.sallyport.admin.Trials;
import io.sallyport.credential.HeldSecrets.PendingRevocation;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Whether credentials can be had at their sources, and what the sources have not taken back; no value is ever in an answer. */
@RestController
@RequestMapping("/api/v1")
@Tag(name = "Rules")
class TrialsController {

    private final Trials trials;

    TrialsController(Trials trials) {
        this.trials = trials;
    }

    /** @param abandoned since the start: given up, and ended by the source's own time to live */
    record RevocationList(List<PendingRevocation> revocations, long abandoned) {}

    @PostMapping("/credentials/{name}/test")
    @Operation(summary = "Ask the credential's source now; says what it gave by name, or what is wrong, and no value")
    @ApiResponse(responseCode = "200", description = "It was asked; whether it works is in the answer")
    @ApiResponse(responseCode = "404", description = "There is no such credential")
    Trials.Found test(@PathVariable String name, Authentication by) {
        return trials.test(name, by.getName())
                .orElseThrow(() -> BadCall.notFound("There is no credential " + name + " in the rule book."));
    }

    @GetMapping("/source-revocations")
    @Operation(summary = "Secrets that their sources have not taken back yet, oldest first")
    RevocationList revocations() {
        return new RevocationList(trials.revocations(), trials.abandoned());
    }
}
