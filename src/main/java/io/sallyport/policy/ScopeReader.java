package io.sallyport.policy;

import io.sallyport.document.Destinations;
import io.sallyport.document.Destinations.Verified;
import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import io.sallyport.document.Value.Listing;
import io.sallyport.document.Value.Mapping;
import io.sallyport.document.Value.Scalar;
import io.sallyport.http.AllowPattern;
import io.sallyport.http.Destination;
import io.sallyport.http.IpLiteral;
import io.sallyport.http.Parsed;
import io.sallyport.http.Parsed.Malformed;
import io.sallyport.http.Parsed.Valid;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/** Reads one scope. */
final class ScopeReader {

    static final Form<AllowPattern> ALLOW = pattern(AllowPattern::parseAllow);
    static final Form<AllowPattern> NEVER = pattern(AllowPattern::parseNever);

    private ScopeReader() {}

    /** Empty when something is wrong with it: then that has been said. */
    static Optional<Scope> read(String name, Keys keys) {
        Optional<String> reason = keys.text("reason");
        Optional<Verified> verified = keys.requiredValue("destination").flatMap(Destinations::verified);
        Optional<Destination> destination = verified.map(Verified::destination);
        boolean intercept = keys.optional("intercept", Forms.FLAG).orElse(true);
        List<AllowPattern> allow = intercept ? keys.list("allow", ALLOW) : List.of();
        Optional<CredentialUse> credential = CredentialReader.read(keys);
        Optional<Keys> limits = keys.optionalChild("limits");
        Scope scope = new Scope(
                name,
                reason.orElse(""),
                destination.orElse(NOWHERE),
                allow,
                credential.orElse(new CredentialUse.None()),
                keys.optional("paths", Forms.oneOf(PathMode.class)).orElse(PathMode.STRICT),
                query(keys),
                Set.copyOf(new HashSet<>(keys.optionalList("keep", CredentialReader.SLOT))),
                limits.flatMap(it -> it.optional("rate", Forms.RATE)),
                limits.flatMap(it -> it.optional("body", Forms.SIZE))
                        .map(OptionalLong::of)
                        .orElse(OptionalLong.empty()),
                keys.optionalText("wide"),
                Set.copyOf(new HashSet<>(keys.optionalList("upgrade", Forms.oneOf(Upgrade.class)))),
                verified.flatMap(Verified::trust),
                CredentialReader.narrow(keys),
                intercept);
        if (destination.isEmpty() || credential.isEmpty()) {
            return Optional.empty();
        }
        requireReasonWhereWide(scope, keys);
        if (!intercept) {
            refuseWhatIsNotSeen(scope, keys);
        }
        return Optional.of(scope);
    }

    /** Stands in while the rest of a broken scope is read; never leaves this class. */
    private static final Destination NOWHERE =
            new Destination(new io.sallyport.http.Origin("https", "invalid", 443), false, List.of());

    /** A tunnel that is passed through shows its host and its bytes, and nothing else can be asked of it. */
    private static void refuseWhatIsNotSeen(Scope scope, Keys keys) {
        for (String key : List.of("allow", "paths", "query", "keep", "upgrade")) {
            if (keys.has(key)) {
                keys.problem(key, "is of requests, and intercept: false shows none; allowed: without it");
            }
        }
        if (!(scope.credential() instanceof CredentialUse.None)) {
            keys.problem("credential", "can't be put on what is not read; allowed: none, with intercept: false");
        }
        if (scope.wide().isEmpty()) {
            keys.problem("intercept", "passes anything through unread; allowed: with wide: \"the reason\" beside it");
        }
        if (scope.trust().isPresent()) {
            keys.problem("destination.trust", "is not asked where the agent verifies; allowed: without it");
        }
        String host = scope.destination().origin().host();
        if (!scope.destination().origin().secure() || IpLiteral.parse(host) instanceof Valid<IpLiteral>) {
            keys.problem(
                    "destination",
                    "has no server name that a tunnel could be held to; allowed: an https origin with a name, with intercept: false");
        }
    }

    private static void requireReasonWhereWide(Scope scope, Keys keys) {
        if (!(scope.credential() instanceof CredentialUse.Named) || scope.wide().isPresent()) {
            return;
        }
        if (scope.destination().wildcard()) {
            keys.problem(
                    "destination", "is a wildcard with a credential; allowed: with wide: \"the reason\" beside it");
        }
        for (int i = 0; i < scope.allow().size(); i++) {
            if (scope.allow().get(i).wholeOrigin()) {
                keys.problem(
                        "allow[" + i + "]",
                        "is the whole origin with a credential; allowed: with wide: \"the reason\" beside it");
            }
        }
    }

    private static Optional<Map<String, List<String>>> query(Keys keys) {
        return keys.value("query").flatMap(value -> switch (value) {
            case Scalar scalar -> scalar.as(Forms.oneOf(Map.of("none", Map.<String, List<String>>of()), Set.of()));
            case Mapping(var ignored, Keys names) -> {
                Map<String, List<String>> constrained = new LinkedHashMap<>();
                names.names().forEach(name -> constrained.put(name, names.list(name, Forms.TEXT)));
                if (constrained.isEmpty()) {
                    names.problem("is empty; allowed: none, or {name: [values]}");
                }
                yield Optional.of(constrained);
            }
            case Listing listing -> {
                listing.problem("is a list; allowed: none, or {name: [values]}");
                yield Optional.empty();
            }
        });
    }

    private static Form<AllowPattern> pattern(Function<String, Parsed<AllowPattern>> parse) {
        return Forms.TEXT.then(text -> switch (parse.apply(text)) {
            case Valid<AllowPattern>(AllowPattern pattern) -> Reading.of(pattern);
            case Malformed<AllowPattern>(String reason) ->
                Reading.unreadable(Forms.quote(text) + " is not a pattern: " + reason);
        });
    }
}
