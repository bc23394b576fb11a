package io.sallyport.credential.injection;

import io.sallyport.credential.Injected;
import io.sallyport.credential.Injected.Misfit;
import io.sallyport.credential.source.Material;
import io.sallyport.document.Keys;
import io.sallyport.http.RequestHead;
import io.sallyport.http.Target;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A segment of the path, or a part of one, as in {@code /bot{secret}/**}. What the agent has there does not count. */
record PathSegment(PathTemplate template, String part) implements Swappable {

    /** What stands in the place of the agent's text and of the secret in whatever is recorded. */
    private static final String MARK = "***";

    static Optional<Injection> read(Keys keys) {
        Optional<PathTemplate> template = keys.required("template", PathTemplate.FORM);
        return InjectionForms.part(keys).flatMap(part -> template.map(path -> new PathSegment(path, part)));
    }

    @Override
    public Set<String> slots() {
        return Set.of("target:path");
    }

    @Override
    public Optional<String> problem(Material material) {
        return SecretFitness.problem(material, part);
    }

    @Override
    public Target redacted(Target target) {
        String path = template.replaced(target.path(), MARK);
        return path == null ? target : new Target(path, target.query(), target.strictProblem(), target.sensitive());
    }

    @Override
    public Injector injector(Material material, Function<String, Needle> needles) {
        return new Written(Encodings.segment(material.part(part).orElseThrow().bytes()), this::written);
    }

    private Injected written(RequestHead head, String segment) {
        String path = template.replaced(head.target().path(), segment);
        return path == null
                ? new Injected.Refused(
                        Misfit.TARGET,
                        "the credential goes into a path of the form " + template.text() + ", and this is another")
                : new Injected.Done(head.withTarget(head.target().withSecretPath(path)));
    }

    @Override
    public List<Shown> shown(Material material) {
        return InjectionForms.shown(material, List.of(part));
    }

    @Override
    public List<String> brought(RequestHead asked) {
        @Nullable String text = template.text(asked.target().path());
        @Nullable String plain = text == null ? null : Encodings.decoded(text, false);
        return plain == null ? List.of() : List.of(plain);
    }

    @Override
    public RequestHead without(RequestHead asked) {
        return asked.withTarget(redacted(asked.target()));
    }

    @Override
    public String place() {
        return "the path, in the place of {secret} in " + template.text();
    }

    @Override
    public String toString() {
        return "PathSegment[" + template.text() + InjectionForms.told(part) + "]";
    }
}
