package io.sallyport.policy;

import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import io.sallyport.document.Value.Listing;
import io.sallyport.document.Value.Mapping;
import io.sallyport.document.Value.Scalar;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what a scope says of credentials: {@code credential} in its four shapes, and {@code keep}. */
final class CredentialReader {

    /** The name of a header field, query parameter or cookie, in lower case; never the one that carries the task token. */
    static final Form<String> SLOT = Forms.TEXT.then(text -> {
        String slot = text.toLowerCase(Locale.ROOT);
        if (slot.equals("proxy-authorization")) {
            return Reading.unreadable("proxy-authorization carries the task token and never passes");
        }
        return slot.matches("[a-z0-9!#$%&'*+.^_`|~-]+")
                ? Reading.of(slot)
                : Reading.unreadable(Forms.quote(text)
                        + " is not the name of a slot; allowed: a field or parameter name, as in x-api-key");
    });

    private CredentialReader() {}

    static Optional<CredentialUse> read(Keys scope) {
        return scope.requiredValue("credential").flatMap(value -> switch (value) {
            case Scalar scalar ->
                scalar.as(Forms.NAMED)
                        .map(name -> name.equals("none")
                                ? new CredentialUse.None()
                                : new CredentialUse.Named(List.of(name)));
            case Listing listing -> several(listing);
            case Mapping(var ignored, Keys keys) -> own(keys);
        });
    }

    private static Optional<CredentialUse> several(Listing listing) {
        List<String> names = listing.as(Forms.NAMED);
        if (names.isEmpty() || new HashSet<>(names).size() < names.size() || names.contains("none")) {
            listing.problem("is not a list of credentials; allowed: at least one, each once, or none alone");
            return Optional.empty();
        }
        return Optional.of(new CredentialUse.Named(names));
    }

    private static Optional<CredentialUse> own(Keys keys) {
        List<String> slots = keys.list("own", SLOT);
        Optional<String> reason = keys.text("reason");
        return slots.isEmpty() ? Optional.empty() : reason.map(why -> new CredentialUse.Own(Set.copyOf(slots), why));
    }

    /** By credential. What it says is in the words of the source's kind, which whoever knows the credentials reads. */
    static Map<String, Map<String, Object>> narrow(Keys scope) {
        Map<String, Map<String, Object>> narrow = new LinkedHashMap<>();
        scope.optionalChild("narrow").ifPresent(credentials -> {
            if (credentials.names().isEmpty()) {
                credentials.problem("is empty; allowed: {CREDENTIAL: {…}}, or without it");
            }
            for (String name : credentials.names()) {
                credentials.optionalChild(name).ifPresent(keys -> {
                    if (keys.names().isEmpty()) {
                        keys.problem("is empty; allowed: what is narrowed, or without it");
                    }
                    narrow.put(name, keys.written());
                });
            }
        });
        return Collections.unmodifiableMap(narrow);
    }
}
