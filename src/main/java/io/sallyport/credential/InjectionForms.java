package io.sallyport.credential;

import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The {@code inject} part of a credential document. */
final class InjectionForms {

    private static final String MARK = "{secret}";
    private static final int LONGEST_USER = 255;

    private static final Form<String> KIND = Forms.oneOf(
            same("bearer", "basic", "header", "client-certificate"),
            Set.of("query", "cookie", "path", "body", "placeholder", "sigv4"));

    /** Those that delimit, route or describe the message itself: whoever sets one of them speaks for the broker, not for a credential. */
    private static final Set<String> FORBIDDEN = Set.of(
            "host",
            "content-length",
            "transfer-encoding",
            "connection",
            "keep-alive",
            "proxy-connection",
            "proxy-authorization",
            "proxy-authenticate",
            "te",
            "trailer",
            "upgrade",
            "sec-websocket-key",
            "sec-websocket-accept",
            "sec-websocket-version",
            "sec-websocket-extensions",
            "expect",
            "range",
            "via",
            "forwarded",
            "content-type",
            "content-encoding",
            "content-range",
            "accept-encoding",
            "x-http-method",
            "x-http-method-override",
            "x-method-override");

    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern PRINTABLE = Pattern.compile("[ -~]*");

    private static final Form<String> FIELD_NAME = Forms.TEXT.then(name -> {
        if (!TOKEN.matcher(name).matches()) {
            return Reading.unreadable(
                    Forms.quote(name) + " is not a field name; allowed: letters, digits and hyphens, as in X-Api-Key");
        }
        return FORBIDDEN.contains(name.toLowerCase(Locale.ROOT))
                        || name.toLowerCase(Locale.ROOT).startsWith("x-forwarded-")
                ? Reading.unreadable(
                        Forms.quote(name)
                                + " may not be injected, because it frames or routes the message; allowed: a field that carries a credential")
                : Reading.of(name);
    });

    private static final Form<String> USER = Forms.TEXT.then(user -> {
        boolean fit = user.indexOf(':') < 0
                && user.length() <= LONGEST_USER
                && PRINTABLE.matcher(user).matches();
        return fit
                ? Reading.of(user)
                : Reading.unreadable(Forms.quote(user)
                        + " is not a user name for Basic; allowed: printable ASCII without a colon, at most "
                        + LONGEST_USER);
    });

    private static final Form<String> TEMPLATE = Forms.TEXT.then(template -> {
        int first = template.indexOf(MARK);
        boolean once = first >= 0 && template.indexOf(MARK, first + 1) < 0;
        boolean fit = once && PRINTABLE.matcher(template).matches() && template.equals(template.strip());
        return fit
                ? Reading.of(template)
                : Reading.unreadable(
                        Forms.quote(template)
                                + " is not a template; allowed: printable ASCII with {secret} exactly once and no space at its ends, as in \"token {secret}\"");
    });

    private InjectionForms() {}

    static Optional<Injection> read(Keys keys) {
        return keys.required("kind", KIND).flatMap(kind -> switch (kind) {
            case "bearer" -> Optional.of(new Injection.Bearer());
            case "basic" -> keys.required("user", USER).map(Injection.Basic::new);
            case "client-certificate" -> Optional.of(new Injection.ClientCertificate());
            default -> header(keys);
        });
    }

    private static Optional<Injection> header(Keys keys) {
        Optional<String> name = keys.required("name", FIELD_NAME);
        String template =
                keys.has("template") ? keys.required("template", TEMPLATE).orElse(MARK) : MARK;
        int mark = template.indexOf(MARK);
        return name.map(field ->
                new Injection.Header(field, template.substring(0, mark), template.substring(mark + MARK.length())));
    }

    static Map<String, String> same(String... values) {
        Map<String, String> same = new LinkedHashMap<>();
        for (String value : values) {
            same.put(value, value);
        }
        return same;
    }
}
