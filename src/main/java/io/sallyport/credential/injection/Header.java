package io.sallyport.credential.injection;

import io.sallyport.credential.source.Material;
import io.sallyport.document.Keys;
import io.sallyport.http.RequestHead;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** One header field. @param name as it is sent */
record Header(String name, Template template) implements Swappable {

    static Optional<Injection> read(Keys keys) {
        Optional<String> name = keys.required("name", InjectionForms.FIELD_NAME);
        Template template = keys.has("template")
                ? keys.required("template", Template.FORM).orElse(Template.SECRET)
                : Template.SECRET;
        return name.map(field -> new Header(field, template));
    }

    @Override
    public Set<String> slots() {
        return Set.of(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public Optional<String> problem(Material material) {
        return SecretFitness.problem(material, template.parts());
    }

    @Override
    public Injector injector(Material material, Function<String, Needle> needles) {
        return Written.field(name, template.filled(material));
    }

    @Override
    public List<Shown> shown(Material material) {
        return InjectionForms.shown(material, template.parts());
    }

    @Override
    public List<String> brought(RequestHead asked) {
        String before = template.before();
        return asked.fields().all(name).stream()
                .map(value -> before != null
                                && value.startsWith(before)
                                && value.endsWith(template.after())
                                && value.length()
                                        >= before.length() + template.after().length()
                        ? value.substring(
                                before.length(),
                                value.length() - template.after().length())
                        : "")
                .toList();
    }

    @Override
    public RequestHead without(RequestHead asked) {
        return asked.withFields(asked.fields().without(name));
    }

    @Override
    public String place() {
        return "the field " + name;
    }

    @Override
    public String toString() {
        String before = template.before();
        return before != null && template.parts().getFirst().equals(Material.SECRET)
                ? "Header[name=" + name + ", before=" + before + ", after=" + template.after() + "]"
                : "Header[name=" + name + ", template=" + template.text() + "]";
    }
}
