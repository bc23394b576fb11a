package io.sallyport.credential.injection;

import io.sallyport.credential.source.Material;
import io.sallyport.document.Keys;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * {@code Authorization: Bearer SECRET} (RFC 6750 section 2.1).
 *
 * @param part of the secret
 */
record Bearer(String part) implements Swappable {

    private static final String FIELD = "Authorization";

    static Optional<Injection> read(Keys keys) {
        return InjectionForms.part(keys).map(Bearer::new);
    }

    @Override
    public Set<String> slots() {
        return Set.of("authorization");
    }

    @Override
    public Optional<String> problem(Material material) {
        return SecretFitness.problem(material, part);
    }

    @Override
    public Injector injector(Material material, Function<String, Needle> needles) {
        return Written.field(
                FIELD,
                Encodings.joined("Bearer ", material.part(part).orElseThrow().bytes(), ""));
    }

    @Override
    public List<Shown> shown(Material material) {
        return InjectionForms.shown(material, List.of(part));
    }

    @Override
    public List<String> brought(RequestHead asked) {
        return credentials(asked.fields(), "bearer");
    }

    /** What stands behind the scheme in each field; empty text for another scheme. */
    static List<String> credentials(Fields fields, String scheme) {
        List<String> found = new ArrayList<>();
        for (String value : fields.all(FIELD)) {
            int space = value.indexOf(' ');
            boolean its = space > 0 && value.substring(0, space).equalsIgnoreCase(scheme);
            found.add(its ? value.substring(space + 1).strip() : "");
        }
        return found;
    }

    @Override
    public RequestHead without(RequestHead asked) {
        return asked.withFields(asked.fields().without((Field line) -> line.is(FIELD)));
    }

    @Override
    public String place() {
        return "the field Authorization, behind Bearer";
    }

    @Override
    public String toString() {
        return "Bearer[" + InjectionForms.told(part) + "]";
    }
}
