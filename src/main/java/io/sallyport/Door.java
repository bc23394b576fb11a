package io.sallyport;

import java.util.List;

/**
 * The doors, and what is behind each. Paths are judged as they came, before anything decodes them: only plain ones lead anywhere, so no
 * spelling ({@code //}, {@code ..}, {@code %2e}, {@code ;x}) can make one door answer for another.
 */
enum Door {
    AGENT("/oauth2/", "/.well-known/", "=/ca.pem"),
    OPERATOR("/api/v1/", "=/console", "/console/"),
    MANAGEMENT("=/actuator/health", "/actuator/health/", "=/actuator/prometheus");

    private static final String UNRESERVED_SIGNS = "-._~";

    private final List<String> behind;

    /** @param behind beginnings of paths; with {@code =} before it, one whole path */
    Door(String... behind) {
        this.behind = List.of(behind);
    }

    /** @param path the raw path of the request line, without query */
    boolean leadsTo(String path) {
        return isPlain(path) && behind.stream().anyMatch(rule -> matches(rule, path));
    }

    /** Segments of unreserved characters, none empty (but the last), none beginning with a dot unless it is {@code .well-known}. */
    private static boolean isPlain(String path) {
        char before = 0;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean begins = before == '/';
            if ((begins && c == '/') || (begins && c == '.' && !path.startsWith(".well-known/", i)) || !isPlain(c)) {
                return false;
            }
            before = c;
        }
        return path.startsWith("/");
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '/'
                || UNRESERVED_SIGNS.indexOf(c) >= 0;
    }

    private static boolean matches(String rule, String path) {
        return rule.startsWith("=")
                ? path.equals(rule.substring(1))
                : path.length() > rule.length() && path.startsWith(rule);
    }
}
