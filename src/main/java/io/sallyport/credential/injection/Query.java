package io.sallyport.credential.injection;

import io.sallyport.credential.Injected;
import io.sallyport.credential.source.Material;
import io.sallyport.document.Keys;
import io.sallyport.http.Parameters;
import io.sallyport.http.RequestHead;
import io.sallyport.http.Target;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One parameter of the query, at its end. @param name unreserved characters (RFC 3986) alone */
record Query(String name, String part) implements Swappable {

    static Optional<Injection> read(Keys keys) {
        Optional<String> name = keys.required("name", InjectionForms.PARAMETER_NAME);
        return InjectionForms.part(keys).flatMap(part -> name.map(parameter -> new Query(parameter, part)));
    }

    @Override
    public Set<String> slots() {
        return Set.of(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public Optional<String> problem(Material material) {
        return SecretFitness.problem(material, part);
    }

    @Override
    public Injector injector(Material material, Function<String, Needle> needles) {
        return new Written(
                Encodings.query(material.part(part).orElseThrow().bytes()),
                (head, value) -> new Injected.Done(head.withTarget(with(head.target(), value))));
    }

    private Target with(Target target, String value) {
        String others = target.query();
        return target.withSecretQuery((others == null || others.isEmpty() ? "" : others + "&") + name + "=" + value);
    }

    @Override
    public List<Shown> shown(Material material) {
        return InjectionForms.shown(material, List.of(part));
    }

    @Override
    public List<String> brought(RequestHead asked) {
        String query = asked.target().query();
        return query == null
                ? List.of()
                : Parameters.named(query, name).stream()
                        .map(place -> decoded(place.value(query)))
                        .toList();
    }

    private static String decoded(String value) {
        @Nullable String plain = Encodings.decoded(value, false);
        return plain == null ? "" : plain;
    }

    @Override
    public RequestHead without(RequestHead asked) {
        Target target = asked.target();
        String query = target.query();
        return query == null
                ? asked
                : asked.withTarget(new Target(target.path(), Parameters.without(query, name), target.strictProblem()));
    }

    @Override
    public String place() {
        return "the query parameter " + name;
    }
}
