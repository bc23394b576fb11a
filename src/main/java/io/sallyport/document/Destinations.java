package io.sallyport.document;

import io.sallyport.document.Value.Listing;
import io.sallyport.document.Value.Mapping;
import io.sallyport.document.Value.Scalar;
import io.sallyport.http.Destination;
import io.sallyport.http.Parsed.Malformed;
import io.sallyport.http.Parsed.Valid;
import java.util.List;
import java.util.Optional;

/** A destination as scopes and credentials write it: an origin, or {@code {url: ORIGIN, addresses: [RANGE]}}. */
public final class Destinations {

    private Destinations() {}

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

    private static Form<Destination> form(List<String> addresses) {
        return Forms.TEXT.then(text -> switch (Destination.parse(text, addresses)) {
            case Valid<Destination>(Destination destination) -> Reading.of(destination);
            case Malformed<Destination>(String reason) ->
                Reading.unreadable(Forms.quote(text) + " is not a destination: " + reason);
        });
    }
}
