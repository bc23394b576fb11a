package io.sallyport.document;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The forms that documents share. */
public final class Forms {

    private static final int QUOTED = 60;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    /** Any text that is not blank, on one line. */
    public static final Form<String> TEXT = Forms::text;

    /** What a document or a scope may be called: it stands in file names, in OAuth scopes and in paths. */
    public static final Form<String> NAMED =
            TEXT.then(text -> NAME.matcher(text).matches()
                    ? Reading.of(text)
                    : wrong(text, "a name", "letters, digits, . _ - (at most 63, a letter or digit first)"));

    public static final Form<Duration> DURATION =
            quantity("a time", "a whole number with ms, s, min, h or d, as in 15min", Quantities::duration);

    /** In bytes. */
    public static final Form<Long> SIZE =
            quantity("a size", "a whole number with KiB, MiB or GiB, as in 20MiB", Quantities::size);

    public static final Form<Rate> RATE =
            quantity("a rate", "a whole number, at least 1, per s, min or h, as in 10/min", Quantities::rate);

    public static final Form<LocalDate> DATE = quantity("a date", "a day as in 2027-03-01", Forms::date);

    public static final Form<Boolean> FLAG =
            scalar -> scalar instanceof Boolean flag ? Reading.of(flag) : wrong(scalar, "a switch", "true, false");

    private Forms() {}

    /** A whole number from {@code least} to {@code most}. */
    public static Form<Long> count(long least, long most) {
        String allowed = "a whole number from " + least + " to " + most;
        return scalar -> (scalar instanceof Integer || scalar instanceof Long)
                        && ((Number) scalar).longValue() >= least
                        && ((Number) scalar).longValue() <= most
                ? Reading.of(((Number) scalar).longValue())
                : wrong(scalar, "such a number", allowed);
    }

    /** One of an enum's constants, written in lower case with hyphens. */
    public static <E extends Enum<E>> Form<E> oneOf(Class<E> type) {
        Map<String, E> values = new LinkedHashMap<>();
        for (E constant : List.of(type.getEnumConstants())) {
            values.put(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'), constant);
        }
        return oneOf(values, Set.of());
    }

    /** @param notBuilt values that have a meaning and are not there yet: refused with words of their own */
    public static <T> Form<T> oneOf(Map<String, T> values, Set<String> notBuilt) {
        String allowed = String.join(", ", values.keySet());
        return TEXT.then(text -> {
            T value = values.get(text);
            if (value != null) {
                return Reading.of(value);
            }
            return notBuilt.contains(text)
                    ? Reading.unreadable(quote(text) + " is not built; allowed: " + allowed)
                    : Reading.unreadable(
                            quote(text) + " is unknown; allowed: " + allowed + Nearest.hint(text, values.keySet()));
        });
    }

    public static Form<String> oneOf(String... values) {
        Map<String, String> same = new LinkedHashMap<>();
        Arrays.stream(values).forEach(value -> same.put(value, value));
        return oneOf(same, new TreeSet<>());
    }

    /** A value as a message shows it: quoted and cut, for what a document holds may be long. */
    public static String quote(Object scalar) {
        String text = scalar.toString().replaceAll("\\p{Cntrl}", " ");
        return "\"" + (text.length() > QUOTED ? text.substring(0, QUOTED) + "…" : text) + "\"";
    }

    private static Reading<String> text(Object scalar) {
        if (!(scalar instanceof String text)) {
            return Reading.unreadable(
                    quote(scalar) + " is not text; allowed: text, in quotes where it looks like a number or a switch");
        }
        return text.isBlank() || text.chars().anyMatch(Character::isISOControl)
                ? Reading.unreadable(quote(text) + " is blank or has control characters; allowed: text on one line")
                : Reading.of(text);
    }

    private static <T> Form<T> quantity(String noun, String allowed, Function<String, Optional<T>> parse) {
        return scalar -> {
            Optional<T> value = scalar instanceof String text ? parse.apply(text) : Optional.empty();
            return value.isPresent() ? Reading.of(value.get()) : wrong(scalar, noun, allowed);
        };
    }

    private static Optional<LocalDate> date(String text) {
        try {
            return text.matches("\\d{4}-\\d{2}-\\d{2}") ? Optional.of(LocalDate.parse(text)) : Optional.empty();
        } catch (DateTimeException noSuchDay) {
            return Optional.empty();
        }
    }

    private static <T> Reading<T> wrong(Object scalar, String noun, String allowed) {
        String shown = scalar instanceof BigInteger ? "a number that large" : quote(scalar);
        return Reading.unreadable(shown + " is not " + noun + "; allowed: " + allowed);
    }
}
