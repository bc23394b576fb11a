package io.sallyport.admin.api;

import io.sallyport.admin.Secrets;
import io.sallyport.admin.Secrets.Written;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Takes secrets in; there is no way to ask for one. The body goes through as a stream, so that no converter or buffer here holds it. */
@RestController
@RequestMapping("/api/v1/credentials/{name}/secret")
@Tag(name = "Rules")
class SecretsController {

    private static final String BYTES = "application/octet-stream";

    private final Secrets secrets;

    SecretsController(Secrets secrets) {
        this.secrets = secrets;
    }

    @PostMapping(consumes = BYTES)
    @Operation(
            summary =
                    "Seal the body as the secret of a credential that is written in (local, oauth-refresh-token); it can be replaced and never read",
            requestBody =
                    @RequestBody(
                            required = true,
                            description = "8 bytes to 16 KiB of printable ASCII; one line end at the end is taken off",
                            content =
                                    @Content(mediaType = BYTES, schema = @Schema(type = "string", format = "binary"))))
    @ApiResponse(responseCode = "204", description = "Sealed, and on disk")
    @ApiResponse(responseCode = "404", description = "There is no such credential")
    @ApiResponse(
            responseCode = "422",
            description = "The credential is of another kind, or it is not a secret that can be used")
    ResponseEntity<Void> put(@PathVariable String name, HttpServletRequest request, Authentication by)
            throws IOException {
        return switch (secrets.put(name, request.getInputStream(), by.getName())) {
            case Written.Done done -> ResponseEntity.noContent().build();
            case Written.Unknown unknown ->
                throw BadCall.notFound("There is no credential " + name + " in the rule book.");
            case Written.Refused(String reason) ->
                throw BadCall.unprocessable("The secret was not taken.", List.of(reason));
        };
    }
}
