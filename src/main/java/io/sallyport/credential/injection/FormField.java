package io.sallyport.credential.injection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.sallyport.credential.ContentUse;
import io.sallyport.credential.Injected;
import io.sallyport.credential.source.Material;
import io.sallyport.document.Keys;
import io.sallyport.http.Parameters;
import io.sallyport.http.RequestHead;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One field of a form (application/x-www-form-urlencoded), at its end. The agent's own of that name goes off, in every spelling. */
record FormField(String name, String part) implements SwappableContent {

    private static final String TYPE = "application/x-www-form-urlencoded";

    static Optional<Injection> read(Keys keys) {
        Optional<String> name = keys.required("name", InjectionForms.PARAMETER_NAME);
        return InjectionForms.part(keys).flatMap(part -> name.map(field -> new FormField(field, part)));
    }

    @Override
    public Set<String> slots() {
        return Set.of(slot());
    }

    private String slot() {
        return "form:" + name.toLowerCase(Locale.ROOT);
    }

    @Override
    public Optional<String> problem(Material material) {
        return SecretFitness.problem(material, part);
    }

    @Override
    public List<Shown> shown(Material material) {
        return InjectionForms.shown(material, List.of(part));
    }

    @Override
    public Injector injector(Material material, Function<String, Needle> needles) {
        byte[] value = Encodings.form(material.part(part).orElseThrow().bytes());
        return new Injector() {
            @Override
            public Placement placement(Clock clock) {
                return new OneRequest(value);
            }

            @Override
            public void close() {
                Arrays.fill(value, (byte) 0);
            }
        };
    }

    private final class OneRequest implements Placement {
        private final byte[] value;
        private boolean brought;

        OneRequest(byte[] value) {
            this.value = value;
        }

        @Override
        public Injected head(RequestHead asked, RequestHead outgoing) {
            return typed(asked) ? new Injected.Done(outgoing) : WholeContent.wrongType(TYPE);
        }

        @Override
        public ContentUse content() {
            return ContentUse.WHOLE;
        }

        @Override
        public Injected whole(RequestHead outgoing, byte[] content) {
            String form = new String(content, ISO_8859_1);
            String others = Parameters.without(form, name);
            brought = others.length() < form.length();
            byte[] before =
                    (others.isEmpty() ? "" : others + "&").concat(name + "=").getBytes(ISO_8859_1);
            byte[] all = Arrays.copyOf(before, before.length + value.length);
            System.arraycopy(value, 0, all, before.length, value.length);
            return WholeContent.done(outgoing, all);
        }

        @Override
        public List<String> removed() {
            return brought ? List.of(slot()) : List.of();
        }
    }

    @Override
    public boolean typed(RequestHead asked) {
        return WholeContent.typed(asked, TYPE, "");
    }

    @Override
    public Found find(byte[] content) {
        String form = new String(content, ISO_8859_1);
        List<String> values = Parameters.named(form, name).stream()
                .map(place -> decoded(place.value(form)))
                .toList();
        return new Found.Place(values, Parameters.without(form, name).getBytes(ISO_8859_1));
    }

    private static String decoded(String value) {
        @Nullable String plain = Encodings.decoded(value, true);
        return plain == null ? "" : plain;
    }

    @Override
    public String place() {
        return "the form's field " + name;
    }
}
