package io.sallyport.document;

import io.sallyport.document.Value.Listing;
import io.sallyport.document.Value.Mapping;
import io.sallyport.document.Value.Scalar;
import io.sallyport.http.Destination;
import io.sallyport.http.Parsed.Malformed;
import io.sallyport.http.Parsed.Valid;
import java.util.List;
import java.util.Optional;

/** A destination as scopes and credentials write it: an origin, or {@code {url: ORIGIN, addresses: [RANGE]}}; scopes also with {@code trust}. */
public final class Destinations {

    private Destinations() {}

    /** @param trust the file of the only roots that its certificate may come from, as written; empty for the usual ones */
    public record Verified(Destination destination, Optional<String> trust) {}

    /** Empty when it is none: then the problem has been said. */
    public static Optional<Destination> read(Value value) {
        return switch (value) {
            case Scalar scalar -> scalar.as(form(List.of()));
            case Mapping(Place ignored, Keys keys) -> {
                List<String> addresses = keys.list("addresses", Forms.TEXT);
                yield keys.required(
                        "url",
                        addresses.isEmpty()
                                ? Forms.TEXT.then(text -> Reading.unreadable("needs addresses beside it"))
                                : form(addresses));
            }
            case Listing listing -> {
                listing.problem("is a list; allowed: an origin, or {url: …, addresses: […]}");
                yield Optional.empty();
            }
        };
    }

    /** As scopes write it: also {@code {url: ORIGIN, trust: FILE}}. */
    public static Optional<Verified> verified(Value value) {
        if (!(value instanceof Mapping(Place ignored, Keys keys)) || !keys.has("trust")) {
            return read(value).map(destination -> new Verified(destination, Optional.empty()));
        }
        Optional<String> trust = keys.optionalText("trust");
        List<String> addresses = keys.optionalList("addresses", Forms.TEXT);
        Optional<Destination> destination = keys.required("url", form(addresses));
        if (destination.isPresent() && !destination.get().origin().secure()) {
            keys.problem("trust", "is for TLS, and this is plain http; allowed: with an https origin");
        }
        return destination.map(it -> new Verified(it, trust));
    }

    private static Form<Destination> form(List<String> addresses) {
        return Forms.TEXT.then(text -> switch (Destination.parse(text, addresses)) {
            case Valid<Destination>(Destination destination) -> Reading.of(destination);
            case Malformed<Destination>(String reason) ->
                Reading.unreadable(Forms.quote(text) + " is not a destination: " + reason);
        });
    }
}
