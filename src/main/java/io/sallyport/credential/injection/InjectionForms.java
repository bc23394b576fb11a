package io.sallyport.credential.injection;

import io.sallyport.credential.aws.Algorithm;
import io.sallyport.credential.source.Material;
import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The {@code inject} part of a credential document: which kinds there are, and the forms that they share. */
public final class InjectionForms {

    /** Every kind, in the order in which they are listed; the second argument is the document's name. */
    private static final Map<String, BiFunction<Keys, String, Optional<Injection>>> KINDS = kinds();

    /** Where a placeholder may stand. */
    private static final Map<String, Function<Keys, Optional<Injection>>> PLACES = places();

    private static final Form<String> KIND = Forms.oneOf(same(KINDS.keySet()), Set.of());

    private static final Form<String> PLACE = Forms.oneOf(same(PLACES.keySet()), Set.of());

    private static Map<String, BiFunction<Keys, String, Optional<Injection>>> kinds() {
        Map<String, BiFunction<Keys, String, Optional<Injection>>> kinds = new LinkedHashMap<>();
        kinds.put("bearer", (keys, name) -> Bearer.read(keys));
        kinds.put("basic", (keys, name) -> Basic.read(keys));
        kinds.put("header", (keys, name) -> Header.read(keys));
        kinds.put("query", (keys, name) -> Query.read(keys));
        kinds.put("cookie", (keys, name) -> Cookie.read(keys));
        kinds.put("path", (keys, name) -> PathSegment.read(keys));
        kinds.put("form", (keys, name) -> FormField.read(keys));
        kinds.put("json", (keys, name) -> JsonMember.read(keys));
        kinds.put("placeholder", Placeholder::read);
        kinds.put("sigv4", (keys, name) -> AwsSignatureForms.read(keys, Algorithm.HMAC));
        kinds.put("sigv4a", (keys, name) -> AwsSignatureForms.read(keys, Algorithm.ECDSA));
        kinds.put("hmac", (keys, name) -> HmacForms.read(keys));
        kinds.put("dpop", (keys, name) -> Dpop.read(keys));
        kinds.put("client-certificate", (keys, name) -> Optional.of(new ConnectionProof()));
        return kinds;
    }

    private static Map<String, Function<Keys, Optional<Injection>>> places() {
        Map<String, Function<Keys, Optional<Injection>>> places = new LinkedHashMap<>();
        places.put("bearer", Bearer::read);
        places.put(
                "basic",
                keys -> keys.has("user")
                        ? keys.required("user", Basic.USER).map(BasicPassword::new)
                        : Optional.of(new BasicPassword(null)));
        places.put("header", Header::read);
        places.put("query", Query::read);
        places.put("path", PathSegment::read);
        places.put("form", FormField::read);
        places.put("json", JsonMember::read);
        return places;
    }

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
    private static final Pattern UNRESERVED = Pattern.compile("[A-Za-z0-9._~-]{1,64}");
    private static final Pattern PART = Pattern.compile("[a-z][a-z0-9-]{0,62}");

    static final Form<String> FIELD_NAME = Forms.TEXT.then(name -> {
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

    /** Parameters that tell a server another method than the request line does. */
    private static final Set<String> OVERRIDES =
            Set.of("_method", "x-http-method-override", "x-http-method", "httpmethod");

    /** Of a query or a form. */
    static final Form<String> PARAMETER_NAME = Forms.TEXT.then(name -> {
        if (!UNRESERVED.matcher(name).matches()) {
            return Reading.unreadable(Forms.quote(name)
                    + " is not a parameter's name; allowed: letters, digits and - . _ ~ (1 to 64), as in api_key");
        }
        return OVERRIDES.contains(name.toLowerCase(Locale.ROOT))
                ? Reading.unreadable(
                        Forms.quote(name)
                                + " may not be injected, because it routes the message; allowed: a parameter that carries a credential")
                : Reading.of(name);
    });

    static final Form<String> COOKIE_NAME =
            Forms.TEXT.then(name -> TOKEN.matcher(name).matches()
                    ? Reading.of(name)
                    : Reading.unreadable(Forms.quote(name)
                            + " is not a cookie's name; allowed: letters, digits and hyphens, as in session_id"));

    private static final Form<String> PART_NAME = Forms.TEXT.then(name -> PART.matcher(name)
                    .matches()
            ? Reading.of(name)
            : Reading.unreadable(Forms.quote(name)
                    + " is not a part's name; allowed: lower-case letters, digits and hyphens, as in session-token"));

    private InjectionForms() {}

    /** @param credential the document's name */
    public static Optional<Injection> read(Keys keys, String credential) {
        return keys.required("kind", KIND)
                .flatMap(kind ->
                        java.util.Objects.requireNonNull(KINDS.get(kind)).apply(keys, credential));
    }

    static Optional<Injection> place(Keys keys) {
        return keys.required("kind", PLACE)
                .flatMap(kind ->
                        java.util.Objects.requireNonNull(PLACES.get(kind)).apply(keys));
    }

    /** Which part of the secret is meant; {@link Material#SECRET} where the document names none. Empty where it names it badly. */
    static Optional<String> part(Keys keys) {
        return keys.has("part") ? keys.required("part", PART_NAME) : Optional.of(Material.SECRET);
    }

    /** How a part shows in an injection's text: the usual one not at all. */
    static String told(String part) {
        return part.equals(Material.SECRET) ? "" : ", part=" + part;
    }

    /** Copies of those parts that are secret. */
    static List<Injection.Shown> shown(Material material, List<String> parts) {
        List<Injection.Shown> shown = new ArrayList<>();
        for (String part : parts) {
            if (SecretFitness.secret(part)) {
                shown.add(new Injection.Shown(
                        material.part(part).orElseThrow().bytes().clone(), null));
            }
        }
        return shown;
    }

    private static Map<String, String> same(Iterable<String> values) {
        Map<String, String> same = new LinkedHashMap<>();
        for (String value : values) {
            same.put(value, value);
        }
        return same;
    }
}
