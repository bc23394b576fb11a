package io.sallyport.credential.injection;

import io.sallyport.credential.ContentUse;
import io.sallyport.credential.Injected;
import io.sallyport.credential.Injected.Misfit;
import io.sallyport.credential.PlaceholderWatch;
import io.sallyport.credential.source.Material;
import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import io.sallyport.http.Field;
import io.sallyport.http.RequestHead;
import io.sallyport.http.Target;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A text that a client may hold in place of the secret. Where it is the whole value of one place, once, the secret takes that place;
 * anywhere else it is refused; and a request without it gets no credential. It is no secret: it opens nothing but what the grant opens.
 *
 * @param value as clients are to hold it
 * @param in the place
 */
record Placeholder(String value, Injection in) implements Injection {

    private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9._~:-]{16,255}");

    static final Form<String> FORM = Forms.TEXT.then(
            text -> VALUE.matcher(text).matches()
                    ? Reading.of(text)
                    : Reading.unreadable(
                            Forms.quote(text)
                                    + " is not a placeholder; allowed: letters, digits and . _ ~ : - (16 to 255), as in sk-placeholder-0000"));

    static String usual(String credential) {
        return "sallyport-placeholder-" + credential;
    }

    @Override
    public boolean needsNoContent() {
        return false;
    }

    @Override
    public Set<String> slots() {
        return in.slots();
    }

    @Override
    public Optional<String> problem(Material material) {
        return in.problem(material);
    }

    @Override
    public List<Shown> shown(Material material) {
        return in.shown(material);
    }

    @Override
    public Target redacted(Target target) {
        return in.redacted(target);
    }

    @Override
    public Optional<String> placeholder() {
        return Optional.of(value);
    }

    @Override
    public Injector injector(Material material, Function<String, Needle> needles) {
        Injector inner = in.injector(material, needles);
        Needle needle = needles.apply(value);
        return new Injector() {
            @Override
            public Placement placement(Clock clock) {
                return in instanceof SwappableContent content
                        ? new InContent(value, content, inner.placement(clock), needle)
                        : new InHead(value, (Swappable) in, inner.placement(clock), needle);
            }

            @Override
            public void close() {
                inner.close();
            }
        };
    }

    private static boolean stands(Needle needle, RequestHead head) {
        if (needle.in(head.target().text())) {
            return true;
        }
        for (Field line : head.fields()) {
            // The hop's own field goes no further.
            if (!line.is("Proxy-Authorization") && (needle.in(line.value()) || needle.in(line.name()))) {
                return true;
            }
        }
        return false;
    }

    private static Injected refused(String place) {
        return new Injected.Refused(
                Misfit.PLACEHOLDER,
                "the credential's placeholder stands where it is not allowed; allowed: once, as the whole value of "
                        + place);
    }

    private static final class InHead implements Placement {
        private final String value;
        private final Swappable in;
        private final Placement inner;
        private final Needle needle;
        private boolean placed;

        InHead(String value, Swappable in, Placement inner, Needle needle) {
            this.value = value;
            this.in = in;
            this.inner = inner;
            this.needle = needle;
        }

        @Override
        public Injected head(RequestHead asked, RequestHead outgoing) {
            placed = in.brought(asked).equals(List.of(value));
            if (stands(needle, placed ? in.without(asked) : asked)) {
                return refused(in.place());
            }
            return placed ? inner.head(asked, outgoing) : new Injected.Done(outgoing);
        }

        @Override
        public boolean placed() {
            return placed;
        }

        @Override
        public List<byte[]> scrubbed() {
            return inner.scrubbed();
        }

        @Override
        public Optional<PlaceholderWatch> watch() {
            return Optional.of(needle.watch());
        }

        @Override
        public boolean misplaced(String text) {
            return needle.in(text);
        }
    }

    private static final class InContent implements Placement {
        private final String value;
        private final SwappableContent in;
        private final Placement inner;
        private final Needle needle;
        private boolean typed;
        private boolean placed;

        InContent(String value, SwappableContent in, Placement inner, Needle needle) {
            this.value = value;
            this.in = in;
            this.inner = inner;
            this.needle = needle;
        }

        @Override
        public Injected head(RequestHead asked, RequestHead outgoing) {
            if (stands(needle, asked)) {
                return refused(in.place());
            }
            typed = in.typed(asked);
            return new Injected.Done(outgoing);
        }

        /** A content of another type has no such place: it leaves as it comes, watched. */
        @Override
        public ContentUse content() {
            return typed ? ContentUse.WHOLE : ContentUse.NONE;
        }

        @Override
        public Injected whole(RequestHead outgoing, byte[] content) {
            if (!needle.in(content)) {
                return new Injected.Done(outgoing);
            }
            return switch (in.find(content)) {
                case SwappableContent.Found.Unreadable(String reason) -> WholeContent.unfit(reason);
                case SwappableContent.Found.Place(List<String> values, byte[] rest) -> {
                    placed = values.equals(List.of(value)) && !needle.in(rest);
                    yield placed ? inner.whole(outgoing, content) : refused(in.place());
                }
            };
        }

        @Override
        public boolean placed() {
            return placed;
        }

        @Override
        public Optional<PlaceholderWatch> watch() {
            return typed ? Optional.empty() : Optional.of(needle.watch());
        }

        @Override
        public boolean misplaced(String text) {
            return needle.in(text);
        }
    }

    static Optional<Injection> read(Keys keys, String credential) {
        String value = keys.has("value") ? keys.required("value", FORM).orElse("") : usual(credential);
        return InjectionForms.place(keys.child("in")).map(in -> new Placeholder(value, in));
    }
}
