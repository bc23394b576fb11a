package io.sallyport.proxy.wire;

import io.sallyport.http.Origin;
import io.sallyport.net.Way;
import io.sallyport.proxy.Route;
import java.util.Set;

/**
 * What two requests must share to share a connection. The credential is part of it: some destinations bind a connection to whoever
 * authenticated on it first.
 *
 * @param way to the address that was judged for this request, never another that the name once had
 * @param terms by which roots it was verified, and what it proved itself with
 */
record UpstreamKey(Origin origin, Way way, String credentialVersion, String terms) {

    /** @param roots ids of the private roots that somebody still trusts */
    boolean trusted(Set<String> roots) {
        String own = Route.roots(terms);
        return own.isEmpty() || roots.contains(own);
    }
}
