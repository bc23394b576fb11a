package io.sallyport;

import io.sallyport.credential.BlastRadius;
import io.sallyport.identity.Isolation;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads {@code sallyport.blast-radius.*}: which isolations may reach a credential of a radius. */
final class Reach {

    private Reach() {}

    /** @throws StartRefused naming the key and what is allowed */
    static Map<BlastRadius, Set<Isolation>> read(Map<String, List<String>> settings) {
        Map<BlastRadius, Set<Isolation>> reach = new EnumMap<>(BlastRadius.class);
        settings.forEach((radius, isolations) -> {
            Set<Isolation> allowed = EnumSet.noneOf(Isolation.class);
            isolations.forEach(isolation -> allowed.add(isolation(radius, isolation)));
            reach.put(radius(radius), allowed);
        });
        return reach;
    }

    private static BlastRadius radius(String name) {
        return Arrays.stream(BlastRadius.values())
                .filter(radius -> radius.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> new StartRefused(
                        "Unknown setting: sallyport.blast-radius." + name + ". Allowed: low, medium, high."));
    }

    private static Isolation isolation(String radius, String name) {
        return Arrays.stream(Isolation.values())
                .filter(isolation -> isolation.text().equals(name))
                .findFirst()
                .orElseThrow(() -> new StartRefused("sallyport.blast-radius." + radius + ": \"" + name
                        + "\" is no isolation. Allowed: "
                        + Arrays.stream(Isolation.values()).map(Isolation::text).collect(Collectors.joining(", "))
                        + "."));
    }
}
