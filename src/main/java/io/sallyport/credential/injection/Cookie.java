package io.sallyport.credential.injection;

import io.sallyport.credential.source.Material;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * One cookie (RFC 6265 section 4.2), in place of all that the agent brings.
 *
 * @param percent whether octets that no cookie can hold are percent-encoded; a secret that has some is unfit otherwise
 */
record Cookie(String name, String part, boolean percent) implements Injection {

    static Optional<Injection> read(Keys keys) {
        Optional<String> name = keys.required("name", InjectionForms.COOKIE_NAME);
        boolean percent = keys.optional("encoding", Forms.oneOf("none", "percent"))
                .map("percent"::equals)
                .orElse(false);
        return InjectionForms.part(keys).flatMap(part -> name.map(cookie -> new Cookie(cookie, part, percent)));
    }

    @Override
    public Set<String> slots() {
        return Set.of("cookie");
    }

    @Override
    public Optional<String> problem(Material material) {
        Optional<String> problem = SecretFitness.problem(material, part);
        boolean fit = problem.isPresent()
                || percent
                || Encodings.cookieOctets(material.part(part).orElseThrow().bytes());
        return fit
                ? problem
                : Optional.of(
                        SecretFitness.named(part)
                                + " has a space, a quote, a comma, a semicolon or a backslash, which no cookie can hold; encoding: percent is allowed");
    }

    @Override
    public Injector injector(Material material, Function<String, Needle> needles) {
        byte[] secret = material.part(part).orElseThrow().bytes();
        return Written.field(
                "Cookie", Encodings.joined(name + "=", percent ? Encodings.cookie(secret) : secret.clone(), ""));
    }

    @Override
    public List<Shown> shown(Material material) {
        return InjectionForms.shown(material, List.of(part));
    }
}
