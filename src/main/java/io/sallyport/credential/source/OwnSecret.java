package io.sallyport.credential.source;

import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What the broker shows a source for itself: a client's secret, an App's private key. Written where {@code file} and {@code env} sources
 * are, and never in the document.
 */
record OwnSecret(String key, SecretSource home) {

    private static final Map<String, SourceKind> KINDS = kinds();

    /** The key's mapping, as in {@code client-secret: {kind: file, name: oauth/acme}}; empty where a problem has been noted. */
    static Optional<OwnSecret> read(Keys keys, String key) {
        Keys home = keys.child(key);
        return home.required("kind", Forms.oneOf(KINDS, Set.of()))
                .flatMap(kind -> kind.reading().apply(home).map(Function.identity()))
                .map(source -> new OwnSecret(key, source));
    }

    /** @return to be closed by whoever asked; @throws SourceFault that names the key */
    SecretValue value(Fetch fetch) throws SourceFault, InterruptedException {
        return value(fetch.credential(), fetch.tools());
    }

    /** As {@link #value(Fetch)}, where nothing is fetched: to give back what was. */
    SecretValue value(String credential, SourceTools tools) throws SourceFault, InterruptedException {
        try {
            Fetched fetched = home.fetch(new Fetch(credential, "", null, false, null, tools));
            if (fetched instanceof Fetched.Given given) {
                return given.material().part(Material.SECRET).orElseThrow();
            }
            throw SourceFault.bad("could not be read");
        } catch (SourceFault fault) {
            throw fault.about(key);
        }
    }

    private static Map<String, SourceKind> kinds() {
        Map<String, SourceKind> kinds = new LinkedHashMap<>();
        List.of(FileSource.KIND, EnvironmentSource.KIND).forEach(kind -> kinds.put(kind.name(), kind));
        return kinds;
    }
}
