package io.sallyport.credential.source;

import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import io.sallyport.http.Origin;
import io.sallyport.http.Parsed;
import io.sallyport.net.AwsPlace;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** What the kinds of source that ask AWS have in common in documents. */
final class AwsKeys {

    private static final Duration REFRESH = Duration.ofMinutes(1);
    private static final Duration SHORTEST = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "::1", "localhost");

    private static final Form<String> REGION = Forms.TEXT.then(text -> AwsPlace.isRegion(text)
            ? Reading.of(text)
            : Reading.unreadable(Forms.quote(text) + " is not a region; allowed: as in eu-central-1"));

    /** Plain http only where nobody can stand in between: secrets come from there. */
    private static final Form<Origin> ENDPOINT = Forms.TEXT.then(text -> switch (Origin.parse(text)) {
        case Parsed.Valid<Origin>(Origin origin)
        when origin.secure() || LOOPBACK.contains(origin.host()) -> Reading.of(origin);
        case Parsed.Valid<Origin> _ ->
            Reading.unreadable(Forms.quote(text)
                    + " can't be called safely; allowed: https (http on 127.0.0.1, [::1] and localhost)");
        case Parsed.Malformed<Origin>(String reason) ->
            Reading.unreadable(Forms.quote(text) + " is not an endpoint: " + reason);
    });

    private static final Form<Duration> BELIEVED =
            Forms.DURATION.then(time -> time.compareTo(SHORTEST) >= 0 && time.compareTo(LONGEST) <= 0
                    ? Reading.of(time)
                    : Reading.unreadable("is too short or too long; allowed: 5s to 1h"));

    private AwsKeys() {}

    /** The keys {@code region}, {@code endpoint}, {@code trust} and {@code addresses}; empty where the region has been found wrong. */
    static Optional<AwsPlace> place(Keys keys) {
        Optional<String> region = keys.required("region", REGION);
        Optional<Origin> at = keys.optional("endpoint", ENDPOINT);
        Reach reach = Reach.read(keys);
        return region.map(it -> new AwsPlace(it, at.orElse(null), reach.trust(), reach.addresses()));
    }

    /** The key {@code sts-endpoint}: where the broker takes on roles, for a source that is elsewhere itself. */
    static AwsPlace sts(Keys keys, AwsPlace service) {
        Optional<Origin> at = keys.optional("sts-endpoint", ENDPOINT);
        return new AwsPlace(service.region(), at.orElse(null), service.trust(), service.permitted());
    }

    /** How long what was read is believed, where the service says nothing of it. */
    static Duration refresh(Keys keys) {
        return keys.optional("refresh", BELIEVED).orElse(REFRESH);
    }
}
