package io.sallyport.admin.api;

import io.sallyport.admin.Authorities.Authority;
import io.sallyport.admin.Authorities.Step;
import io.sallyport.admin.RollOvers;
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

/** The interception CA: which one signs, and how another takes its place while the broker runs. */
@RestController
@RequestMapping("/api/v1/authorities")
@Tag(name = "Interception CA")
class AuthoritiesController {

    private final RollOvers rollOvers;

    AuthoritiesController(RollOvers rollOvers) {
        this.rollOvers = rollOvers;
    }

    record AuthorityList(List<Authority> authorities) {}

    @GetMapping
    @Operation(summary = "The roots of the broker's own, oldest first; none where an authority was brought along")
    AuthorityList all() {
        return new AuthorityList(rollOvers.all());
    }

    @PostMapping("/successor")
    @Operation(summary = "Make a successor: it is published beside the root that signs, for sandboxes to be given both")
    @ApiResponse(responseCode = "200", description = "Made, and on disk")
    @ApiResponse(responseCode = "409", description = "There is one already")
    AuthorityList successor(Authentication by) {
        return after(rollOvers.succeed(by.getName()));
    }

    @PostMapping("/promote")
    @Operation(summary = "The successor signs from now on; the old root stays published")
    @ApiResponse(responseCode = "200", description = "It signs; other nodes follow within ten seconds")
    @ApiResponse(responseCode = "409", description = "There is no successor")
    AuthorityList promote(Authentication by) {
        return after(rollOvers.promote(by.getName()));
    }

    @PostMapping("/{id}/withdraw")
    @Operation(summary = "Publish a root no more that does not sign")
    @ApiResponse(responseCode = "200", description = "Withdrawn, and on disk")
    @ApiResponse(responseCode = "409", description = "It signs, or is not published")
    AuthorityList withdraw(@PathVariable String id, Authentication by) {
        return after(rollOvers.withdraw(id, by.getName()));
    }

    private AuthorityList after(Step step) {
        return switch (step) {
            case Step.Done ignored -> all();
            case Step.Refused(String reason) -> throw BadCall.conflict(reason);
        };
    }
}
