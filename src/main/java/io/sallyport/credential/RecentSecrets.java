package io.sallyport.credential;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The versions of each secret that were leased last. While a secret is rotated, a destination that was sent one version may answer with
 * another. Of each at most three are remembered, for ten minutes since the last change; and of these only their shapes are needed.
 */
final class RecentSecrets {

    private static final int MOST = 3;
    private static final Duration REMEMBERED = Duration.ofMinutes(10);

    /** By where a secret is kept: one that is made for each grant has a place for each. */
    private final Cache<WarmSecret, Versions> byHome =
            Caffeine.newBuilder().weakKeys().expireAfterWrite(REMEMBERED).build();

    /** @param latest the one that was leased last comes first @param set the shapes of all */
    private record Versions(List<HeldSecret> latest, Optional<ShapeSet> set) {}

    void leased(WarmSecret home, HeldSecret secret) {
        Versions known = byHome.getIfPresent(home);
        // A client's key is never sent, so there is nothing of it to look for.
        if (secret.certificate() == null && (known == null || !known.latest().contains(secret))) {
            byHome.asMap().compute(home, (where, now) -> with(now == null ? List.of() : now.latest(), secret));
        }
    }

    private static Versions with(List<HeldSecret> known, HeldSecret secret) {
        if (known.contains(secret) || known.isEmpty()) {
            return new Versions(
                    known.isEmpty() ? List.of(secret) : known, set(known.isEmpty() ? List.of(secret) : known));
        }
        List<HeldSecret> latest = new ArrayList<>(MOST);
        latest.add(secret);
        latest.addAll(known.subList(0, Math.min(known.size(), MOST - 1)));
        return new Versions(List.copyOf(latest), set(latest));
    }

    private static Optional<ShapeSet> set(List<HeldSecret> secrets) {
        return secrets.size() == 1
                ? secrets.getFirst().set()
                : Optional.of(secrets.stream()
                                .flatMap(secret -> secret.shapes().stream())
                                .toList())
                        .filter(shapes -> !shapes.isEmpty())
                        .map(ShapeSet::new);
    }

    /** What to look for in the answer to a request that carried this one. */
    Optional<ShapeSet> set(WarmSecret home, HeldSecret secret) {
        Versions known = byHome.getIfPresent(home);
        return known != null && known.latest().contains(secret) ? known.set() : secret.set();
    }

    /** The same, not prepared. */
    List<Shape> shapes(WarmSecret home, HeldSecret secret) {
        Versions known = byHome.getIfPresent(home);
        return known != null && known.latest().contains(secret)
                ? known.latest().stream().flatMap(one -> one.shapes().stream()).toList()
                : secret.shapes();
    }
}
