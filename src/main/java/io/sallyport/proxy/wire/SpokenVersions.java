package io.sallyport.proxy.wire;

import io.sallyport.http.Origin;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What destinations were found to speak, for all loops. Nothing depends on it but how the next connection is made: the handshake decides
 * anew each time.
 */
final class SpokenVersions {

    /** Origins that are remembered; with one more, any of them is forgotten. */
    private static final int ORIGINS = 1_024;

    /** Until a destination has said how many requests it takes at one time: what RFC 9113 section 6.5.2 advises it to take at least. */
    private static final int STREAMS_AT_FIRST = 100;

    private sealed interface Spoken {
        record Http1() implements Spoken {}

        /** @param streams that it takes on one connection */
        record Http2(int streams) implements Spoken {}

        /** It said that it wants requests in HTTP/1.1, though it offers HTTP/2. */
        record Http1Required() implements Spoken {}
    }

    private final ConcurrentMap<Origin, Spoken> known = new ConcurrentHashMap<>();

    /** A handshake with it agreed on HTTP/1.1. */
    void http1(Origin origin) {
        note(origin, new Spoken.Http1());
    }

    /** @param streams as it announced */
    void http2(Origin origin, int streams) {
        note(origin, new Spoken.Http2(streams));
    }

    /** From now on HTTP/2 is not offered to it. */
    void http1Required(Origin origin) {
        note(origin, new Spoken.Http1Required());
    }

    private void note(Origin origin, Spoken now) {
        known.merge(origin, now, (before, after) -> before instanceof Spoken.Http1Required ? before : after);
        if (known.size() > ORIGINS) {
            known.keySet().stream().findFirst().ifPresent(known::remove);
        }
    }

    /** Whether HTTP/2 is not to be offered to it. */
    boolean refusesHttp2(Origin origin) {
        return known.get(origin) instanceof Spoken.Http1Required;
    }

    /** Whether the last connection to it served one request at a time. */
    boolean lastWasHttp1(Origin origin) {
        return known.get(origin) instanceof Spoken.Http1;
    }

    /** How many requests a connection takes that has not said so itself yet. */
    int streamsAtFirst(Origin origin) {
        return known.get(origin) instanceof Spoken.Http2(int streams) ? streams : STREAMS_AT_FIRST;
    }
}
