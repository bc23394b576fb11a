package io.sallyport.credential.injection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.sallyport.document.Keys;
import io.sallyport.http.Parameters;
import io.sallyport.http.RequestHead;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One field of a form (application/x-www-form-urlencoded), at its end. The agent's own of that name goes off, in every spelling. */
record FormField(String name, String part) implements SwappableContent {

    private static final String TYPE = "application/x-www-form-urlencoded";

    static Optional<Injection> read(Keys keys) {
        Optional<String> name = keys.required("name", InjectionForms.PARAMETER_NAME);
        return InjectionForms.part(keys).flatMap(part -> name.map(field -> new FormField(field, part)));
    }

    @Override
    public String slot() {
        return "form:" + name.toLowerCase(Locale.ROOT);
    }

    @Override
    public byte[] encoded(byte[] secret) {
        return Encodings.form(secret);
    }

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public Inserted insert(byte[] content, byte[] value) {
        String form = new String(content, ISO_8859_1);
        String others = Parameters.without(form, name);
        byte[] before =
                (others.isEmpty() ? "" : others + "&").concat(name + "=").getBytes(ISO_8859_1);
        byte[] all = Arrays.copyOf(before, before.length + value.length);
        System.arraycopy(value, 0, all, before.length, value.length);
        return new Inserted.Into(all, others.length() < form.length());
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
