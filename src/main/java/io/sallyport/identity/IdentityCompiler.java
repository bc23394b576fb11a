package io.sallyport.identity;

import io.sallyport.document.CalledUrl;
import io.sallyport.document.Compiled;
import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Problem;
import io.sallyport.document.Reading;
import io.sallyport.document.Value;
import io.sallyport.http.Parsed;
import io.sallyport.net.Cidr;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An identity document becomes an {@link Identity}, or the list of what is wrong with it. Reads the key file that the document names, and nothing else. */
public final class IdentityCompiler {

    private static final Duration DEFAULT_SKEW = Duration.ofSeconds(30);
    private static final Duration MOST_SKEW = Duration.ofSeconds(60);

    private static final Form<String> KIND =
            Forms.oneOf(kinds(), Set.of("kubernetes", "spiffe", "github-actions", "gitlab", "aws", "x509"));

    private static final Form<String> ALGORITHM = Forms.oneOf(Signature.ALGORITHMS.toArray(String[]::new));

    private static final Form<Duration> SKEW = Forms.DURATION.then(skew -> skew.compareTo(MOST_SKEW) <= 0
            ? Reading.of(skew)
            : Reading.unreadable("more than 60s; allowed: 0s to 60s"));

    private static final Form<Cidr> RANGE = Forms.TEXT.then(text -> switch (Cidr.parse(text)) {
        case Parsed.Valid<Cidr>(Cidr range) -> Reading.of(range);
        case Parsed.Malformed<Cidr>(String reason) ->
            Reading.unreadable(Forms.quote(text) + " is not a range: " + reason + "; allowed: as in 10.0.0.0/8");
    });

    private static final Form<URI> FETCHED = CalledUrl.form("fetched");

    private final String name;
    private final Keys keys;
    private final Path folder;

    private IdentityCompiler(String name, Keys keys, Path folder) {
        this.name = name;
        this.keys = keys;
        this.folder = folder;
    }

    /**
     * @param name the document's name
     * @param keys of the whole document
     * @param folder of the document: relative paths start there
     */
    public static Compiled<Identity> compile(String name, Keys keys, Path folder) {
        return new IdentityCompiler(name, keys.known("sallyport", "identity"), folder).compile();
    }

    /**
     * What is wrong with several identities together: the same issuer with a common audience would leave it open who a token speaks of;
     * and the broker's own issuer would make a task token the proof of a workload.
     *
     * @param own the issuer of the broker's own tokens; null where it is not known
     * @return by the name of the document that is to be changed
     */
    public static Map<String, Problem> crossCheck(Collection<Identity> identities, @Nullable String own) {
        Map<String, Problem> problems = new LinkedHashMap<>();
        List<Identity> before = new ArrayList<>();
        for (Identity identity : identities) {
            if (identity.issuer().equals(own)) {
                problems.put(
                        identity.name(),
                        new Problem(
                                "issuer",
                                "is this broker itself (sallyport.issuer); allowed: whoever vouches for workloads"));
            }
            before.stream()
                    .filter(other -> other.issuer().equals(identity.issuer()))
                    .filter(other -> !Collections.disjoint(other.audiences(), identity.audiences()))
                    .findFirst()
                    .ifPresent(other -> problems.put(
                            identity.name(),
                            new Problem(
                                    "audience",
                                    "has an audience in common with identity " + other.name()
                                            + " of the same issuer; allowed: audiences that no token can serve both")));
            before.add(identity);
        }
        return problems;
    }

    private Compiled<Identity> compile() {
        Optional<String> kind = keys.required("kind", KIND);
        boolean oidc = kind.filter("oidc"::equals).isPresent();
        Optional<String> issuer =
                oidc ? keys.required("issuer", FETCHED).flatMap(uri -> keys.text("issuer")) : keys.text("issuer");
        List<String> audiences = audiences();
        Optional<Isolation> isolation = keys.required("isolation", Forms.oneOf(Isolation.class));
        List<String> algorithms = keys.optionalList("algorithms", ALGORITHM);
        Optional<Duration> skew = keys.optional("skew", SKEW);
        Optional<KeyOrigin> origin = oidc && !keys.has("jwks") ? Optional.of(new KeyOrigin.Discovered()) : origin(oidc);
        boolean fetches = oidc && !(origin.isPresent() && origin.get() instanceof KeyOrigin.Fixed);
        if (!fetches && kind.isPresent()) {
            uselessWithoutFetching();
        }
        Optional<Path> trust = keys.optionalText("trust").map(folder::resolve);
        List<Cidr> addresses = keys.optionalList("addresses", RANGE);
        Optional<Path> tokenFile = keys.optionalText("token-file").map(folder::resolve);
        return keys.compiled(() -> new Identity(
                name,
                issuer.orElseThrow(),
                Set.copyOf(audiences),
                isolation.orElseThrow(),
                algorithms.isEmpty() ? Signature.ALGORITHMS : Set.copyOf(algorithms),
                skew.orElse(DEFAULT_SKEW),
                origin.orElseThrow(),
                trust.orElse(null),
                addresses,
                tokenFile.orElse(null)));
    }

    /** In the order in which a message lists them. */
    private static Map<String, String> kinds() {
        Map<String, String> kinds = new LinkedHashMap<>();
        kinds.put("static", "static");
        kinds.put("oidc", "oidc");
        return kinds;
    }

    /** One text, or a list of them. */
    private List<String> audiences() {
        return keys.requiredValue("audience")
                        .filter(Value.Listing.class::isInstance)
                        .isPresent()
                ? keys.list("audience", Forms.TEXT)
                : keys.optionalText("audience").stream().toList();
    }

    /** A key that does nothing misleads whoever reads the document. */
    private void uselessWithoutFetching() {
        for (String key : List.of("trust", "addresses", "token-file")) {
            if (keys.has(key)) {
                keys.problem(key, "has no use where the keys come from a file; leave it out");
            }
        }
    }

    private Optional<KeyOrigin> origin(boolean oidc) {
        Keys jwks = keys.child("jwks");
        if (oidc && jwks.has("url")) {
            if (jwks.has("file")) {
                jwks.problem("has both file and url; allowed: one of them");
            }
            return jwks.required("url", FETCHED).map(KeyOrigin.At::new);
        }
        return jwks.text("file").flatMap(file -> switch (KeyFile.read(folder.resolve(file))) {
            case Parsed.Valid<KeyOrigin.Fixed>(KeyOrigin.Fixed fixed) -> Optional.of(fixed);
            case Parsed.Malformed<KeyOrigin.Fixed>(String reason) -> {
                jwks.problem("file", reason);
                yield Optional.empty();
            }
        });
    }
}
