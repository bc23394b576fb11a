package io.sallyport.document;

import io.sallyport.document.Value.Listing;
import io.sallyport.document.Value.Mapping;
import io.sallyport.document.Value.Scalar;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * A strict reader over one mapping of a document. Whoever compiles a kind asks for the keys it knows; {@link #compiled} then says which
 * keys nobody asked for. An empty answer to a required key means that its problem has been noted, so that a compiler can read on and
 * report everything at once.
 */
public final class Keys {

    /** They will get a meaning: a document that has one of them must not be read as if it had none. */
    private static final Set<String> RESERVED =
            Set.of("conditions", "operations", "approve", "after", "effect", "guardrail", "source-per-person");

    private static final String IGNORED = "x-";

    private final Place place;
    private final Map<String, Object> values = new LinkedHashMap<>();
    private final Set<String> asked = new TreeSet<>();
    private final Map<String, Value> read = new LinkedHashMap<>();
    private boolean silent;

    Keys(Place place, Map<?, ?> values) {
        this.place = place;
        values.forEach((key, value) -> this.values.put(String.valueOf(key), value));
    }

    /** A whole document, or any mapping that stands for itself; paths in it start where the process runs. */
    public static Keys of(Map<String, ?> values) {
        return of(values, Path.of(""));
    }

    /** @param folder of the document: relative paths in it start there */
    public static Keys of(Map<String, ?> values, Path folder) {
        return new Keys(new Place("", new ArrayList<>(), folder), values);
    }

    /** Says that these keys have been read by somebody else. */
    public Keys known(String... keys) {
        asked.addAll(List.of(keys));
        return this;
    }

    public boolean has(String key) {
        asked.add(key);
        return values.containsKey(key);
    }

    public Set<String> names() {
        return values.keySet();
    }

    /**
     * What is written here, for whoever reads it elsewhere, as keys of its own. Nothing of it counts as asked: an outer mapping does not say
     * anything of what is left over in it.
     */
    public Map<String, Object> written() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    public <T> Optional<T> required(String key, Form<T> form) {
        return requiredValue(key).flatMap(value -> scalar(value, form));
    }

    public <T> Optional<T> optional(String key, Form<T> form) {
        return value(key).flatMap(value -> scalar(value, form));
    }

    public Optional<String> text(String key) {
        return required(key, Forms.TEXT);
    }

    public Optional<String> optionalText(String key) {
        return optional(key, Forms.TEXT);
    }

    /** A file beside the document, by its path from the document's folder. Whether it is there is not looked at. */
    public Optional<Path> optionalFile(String key) {
        return optionalText(key).flatMap(name -> {
            try {
                return Optional.of(place.folder().resolve(name));
            } catch (InvalidPathException noPath) {
                problem(
                        key,
                        Forms.quote(name) + " is no path; allowed: one from the document's folder, as in corp.pem");
                return Optional.empty();
            }
        });
    }

    /** A list with at least one item. */
    public <T> List<T> list(String key, Form<T> form) {
        return requiredValue(key).map(value -> listed(value, form)).orElse(List.of());
    }

    /** Empty where the key is absent; where it is there, it has at least one item. */
    public <T> List<T> optionalList(String key, Form<T> form) {
        return value(key).map(value -> listed(value, form)).orElse(List.of());
    }

    /** The items of a required list, each of a shape of its own. */
    public List<Value> items(String key) {
        return requiredValue(key).map(this::itemsOf).orElse(List.of());
    }

    /** A mapping below this one. Where it is missing, that is said once and the keys asked of it say no more. */
    public Keys child(String key) {
        return requiredValue(key).flatMap(this::mapping).orElseGet(this::nothing);
    }

    public Optional<Keys> optionalChild(String key) {
        return value(key).flatMap(this::mapping);
    }

    /** A required mapping from names that the document chooses to mappings; at least one. */
    public Map<String, Keys> children(String key) {
        Keys named = child(key);
        Map<String, Keys> children = new LinkedHashMap<>();
        for (String name : named.names()) {
            if (!name.startsWith(IGNORED)) {
                named.optionalChild(name).ifPresent(child -> children.put(name, child));
            }
        }
        if (named.names().isEmpty() && !named.silent) {
            named.problem("is empty; allowed: at least one");
        }
        return children;
    }

    public Optional<Value> requiredValue(String key) {
        if (!has(key) && !silent) {
            problem(key, "is missing and required");
        }
        return value(key);
    }

    /** Empty where the key is absent, or where it has no value (and that has been said). */
    public Optional<Value> value(String key) {
        if (!has(key)) {
            return Optional.empty();
        }
        if (!read.containsKey(key)) {
            Value.of(place.key(key), values.get(key)).ifPresent(value -> read.put(key, value));
        }
        return Optional.ofNullable(read.get(key));
    }

    /** Names that the document may select on, in its order. */
    public Map<String, String> labels() {
        Map<String, String> labels = new LinkedHashMap<>();
        optionalChild("labels").ifPresent(keys -> {
            for (String name : keys.names()) {
                keys.optionalText(name).ifPresent(text -> labels.put(name, text));
            }
        });
        return labels;
    }

    /** Says that something is wrong with a key of this mapping. */
    public void problem(String key, String what) {
        place.key(key).problem(what);
    }

    /** Says that something is wrong with this mapping as a whole. */
    public void problem(String what) {
        place.problem(what);
    }

    /** The document, made only when nothing is wrong with it; to be called once, on the outermost mapping. */
    public <T> Compiled<T> compiled(Supplier<T> made) {
        labels();
        sayLeftOver();
        return place.problems().isEmpty() ? new Compiled.Ok<>(made.get()) : new Compiled.Rejected<>(place.problems());
    }

    private void sayLeftOver() {
        for (String key : values.keySet()) {
            if (!asked.contains(key) && !key.startsWith(IGNORED)) {
                problem(
                        key,
                        RESERVED.contains(key) ? "is reserved and not built" : "is unknown; allowed: " + allowed(key));
            }
        }
        read.values().forEach(Keys::sayLeftOver);
    }

    private static void sayLeftOver(Value value) {
        switch (value) {
            case Scalar ignored -> {}
            case Listing listing -> listing.items().forEach(Keys::sayLeftOver);
            // A mapping of which nothing was asked stands where none may, and that has been said.
            case Mapping mapping when mapping.keys().asked.isEmpty() -> {}
            case Mapping mapping -> mapping.keys().sayLeftOver();
        }
    }

    private String allowed(String key) {
        return String.join(", ", asked) + Nearest.hint(key, asked);
    }

    private <T> Optional<T> scalar(Value value, Form<T> form) {
        if (value instanceof Scalar scalar) {
            return scalar.as(form);
        }
        value.problem("is " + value.shape() + "; allowed: a single value");
        return Optional.empty();
    }

    private <T> List<T> listed(Value value, Form<T> form) {
        List<Value> items = itemsOf(value);
        return items.isEmpty() ? List.of() : new Listing(value.place(), items).as(form);
    }

    private List<Value> itemsOf(Value value) {
        if (value instanceof Listing listing && !listing.items().isEmpty()) {
            return listing.items();
        }
        value.problem(
                value instanceof Listing
                        ? "is empty; allowed: at least one item"
                        : "is " + value.shape() + "; allowed: a list");
        return List.of();
    }

    private Optional<Keys> mapping(Value value) {
        if (value instanceof Mapping mapping) {
            return Optional.of(mapping.keys());
        }
        value.problem("is " + value.shape() + "; allowed: a mapping");
        return Optional.empty();
    }

    private Keys nothing() {
        Keys nothing = new Keys(place, Map.of());
        nothing.silent = true;
        return nothing;
    }
}
