package io.sallyport.admin;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sallyport.credential.Credential;
import java.util.List;
import java.util.Locale;

/** A credential's public face, for reading: there is no secret to leave out, because this room can't name one. */
public record CredentialView(
        String name,
        List<String> destinations,
        @JsonProperty("blast_radius") String blastRadius,
        String source,
        List<String> slots) {

    public static CredentialView of(Credential credential) {
        return new CredentialView(
                credential.name(),
                credential.destinations().stream().map(Object::toString).toList(),
                credential.blastRadius().name().toLowerCase(Locale.ROOT),
                credential.sourceKind(),
                credential.slots().stream().sorted().toList());
    }
}
