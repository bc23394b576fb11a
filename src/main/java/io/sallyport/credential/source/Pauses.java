package io.sallyport.credential.source;

import io.sallyport.http.Fields;
import java.net.URI;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.ConcurrentHashMap;

/** Servers that have asked to be left alone for a while ({@code Retry-After}, RFC 9110 section 10.2.3), by credential: they are not called until then. */
public final class Pauses {

    private static final Duration UNSAID = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(15);

    private final Clock clock;
    private final ConcurrentHashMap<Place, Instant> until = new ConcurrentHashMap<>();

    /** No more of them than documents have named. */
    private record Place(String credential, URI server) {}

    public Pauses(Clock clock) {
        this.clock = clock;
    }

    boolean asked(String credential, URI server) {
        Place place = new Place(credential, server);
        Instant end = until.get(place);
        if (end == null) {
            return false;
        }
        if (clock.instant().isBefore(end)) {
            return true;
        }
        until.remove(place, end);
        return false;
    }

    /** From an answer's fields; a second where they say nothing, a quarter of an hour at most. */
    void ask(String credential, URI server, Fields fields) {
        ask(credential, server, after(fields.first("Retry-After").orElse("")));
    }

    void ask(String credential, URI server, Duration time) {
        Duration bounded = time.compareTo(LONGEST) < 0 ? time : LONGEST;
        until.put(new Place(credential, server), clock.instant().plus(bounded.isPositive() ? bounded : UNSAID));
    }

    private Duration after(String said) {
        if (said.matches("\\d{1,9}")) {
            return Duration.ofSeconds(Long.parseLong(said));
        }
        try {
            Instant then = ZonedDateTime.parse(said, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return Duration.between(clock.instant(), then);
        } catch (DateTimeException notADate) {
            return UNSAID;
        }
    }
}
