package io.sallyport.admin.api;

import io.sallyport.admin.Confirmations;
import io.sallyport.admin.Confirmations.Confirmed;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Where a changed credential may go, for a person to look at and to confirm. */
@RestController
@RequestMapping("/api/v1/credentials/{name}/places")
@Tag(name = "Rules")
class ConfirmationsController {

    private final Confirmations confirmations;

    ConfirmationsController(Confirmations confirmations) {
        this.confirmations = confirmations;
    }

    record Unconfirmed(List<String> unconfirmed) {}

    record Order(@Nullable List<String> confirm) {}

    @GetMapping
    @Operation(
            summary =
                    "The places of a credential that nobody has confirmed since it was changed: it is unavailable while there are any")
    Unconfirmed places(@PathVariable String name) {
        return new Unconfirmed(confirmations.unconfirmed(name).orElseThrow(() -> unknown(name)));
    }

    @PostMapping
    @Operation(summary = "Confirm exactly these places")
    @ApiResponse(responseCode = "200", description = "Confirmed, and on disk")
    @ApiResponse(responseCode = "404", description = "There is no such credential")
    @ApiResponse(responseCode = "409", description = "They are not the ones that have to be confirmed now")
    Unconfirmed confirm(@PathVariable String name, @RequestBody Order order, Authentication by) {
        List<String> shown = order.confirm();
        if (shown == null) {
            throw BadCall.malformed("confirm", "is missing", "the list that GET gives");
        }
        return switch (confirmations.confirm(name, shown, by.getName())) {
            case Confirmed.Done done -> new Unconfirmed(List.of());
            case Confirmed.Unknown none -> throw unknown(name);
            case Confirmed.Others(List<String> others) ->
                throw BadCall.conflict("Not the places that have to be confirmed now, which are: "
                        + (others.isEmpty() ? "none" : String.join("; ", others)));
        };
    }

    private static BadCall unknown(String name) {
        return BadCall.notFound("There is no credential " + name + " in the rule book.");
    }
}
