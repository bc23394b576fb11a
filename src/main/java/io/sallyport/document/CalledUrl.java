package io.sallyport.document;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;

/** A URL that the broker itself calls: https, and plain http only where nobody can stand in between. */
public final class CalledUrl {

    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "[::1]", "localhost");

    private CalledUrl() {}

    /** @param done for the complaint, as in {@code fetched}: the URL can't be fetched safely */
    public static Form<URI> form(String done) {
        return Forms.TEXT.then(text -> {
            try {
                URI uri = new URI(text);
                if (safe(uri)) {
                    return Reading.of(uri);
                }
            } catch (URISyntaxException notOne) {
                // Said below, with what is allowed.
            }
            return Reading.unreadable(
                    Forms.quote(text) + " can't be " + done
                            + " safely; allowed: an https URL without userinfo, query and fragment (http on 127.0.0.1, [::1] and localhost)");
        });
    }

    private static boolean safe(URI uri) {
        boolean unheard = "https".equals(uri.getScheme())
                || ("http".equals(uri.getScheme()) && LOOPBACK.contains(String.valueOf(uri.getHost())));
        return unheard
                && uri.getHost() != null
                && uri.getRawUserInfo() == null
                && uri.getRawQuery() == null
                && uri.getRawFragment() == null;
    }
}
