package io.sallyport.exchange;

import io.sallyport.http.Origin;
import io.sallyport.http.Parsed;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What {@code resource} (RFC 8707) and {@code audience} (RFC 8693 section 2.1) narrow a request to. */
final class Targets {

    private Targets() {}

    /**
     * @param issuer an audience that narrows nothing: every task token is for the broker
     * @return origins; empty for no narrowing
     */
    static Step<Set<Origin>> parse(List<String> resources, List<String> audiences, String issuer) {
        Set<Origin> origins = new LinkedHashSet<>();
        for (String resource : resources) {
            if (!add(origins, resource)) {
                return Step.refused(Refusal.invalidTarget("a resource that is no origin"));
            }
        }
        for (String audience : audiences) {
            if (!audience.equals(issuer) && !add(origins, audience)) {
                return Step.refused(Refusal.invalidTarget("an audience that is neither the issuer nor an origin"));
            }
        }
        return Step.passed(origins);
    }

    private static boolean add(Set<Origin> origins, String text) {
        // RFC 3986 section 6.2.3: an empty path and "/" are one. Any other path would promise a narrowing that origins
        // can't keep.
        String bare = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        if (Origin.parse(bare) instanceof Parsed.Valid<Origin>(Origin origin)) {
            origins.add(origin);
            return true;
        }
        return false;
    }
}
