package io.sallyport.net;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * @param nameServers {@code ip}, {@code ip:port} or {@code [ip6]:port}, asked in order; empty for the system's resolver
 * @param keptAtLeast how long an answer is kept whatever its time to live says, 1 s to 1 h
 * @param keptAtMost likewise the longest, up to 1 day
 * @param proxy the proxy at the way out; null for none
 * @param trust PEM file of roots that it is verified by besides the system's; null for none
 */
public record NetSettings(
        List<String> nameServers,
        Duration keptAtLeast,
        Duration keptAtMost,
        @Nullable UpstreamProxy proxy,
        @Nullable Path trust) {

    public static final Duration KEPT_AT_LEAST = Duration.ofSeconds(5);
    public static final Duration KEPT_AT_MOST = Duration.ofSeconds(60);

    public NetSettings {
        nameServers = List.copyOf(nameServers);
        if (keptAtLeast.compareTo(Duration.ofSeconds(1)) < 0 || keptAtLeast.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException(
                    "sallyport.proxy.name-answers.kept-at-least is 1s to 1h, as in 5s: " + keptAtLeast);
        }
        if (keptAtMost.compareTo(keptAtLeast) < 0 || keptAtMost.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(
                    "sallyport.proxy.name-answers.kept-at-most is kept-at-least to 1d, as in 60s: " + keptAtMost);
        }
    }

    /** Without a proxy. */
    public NetSettings(List<String> nameServers, Duration keptAtLeast, Duration keptAtMost) {
        this(nameServers, keptAtLeast, keptAtMost, null, null);
    }

    /** With the usual times, without a proxy. */
    public NetSettings(List<String> nameServers) {
        this(nameServers, KEPT_AT_LEAST, KEPT_AT_MOST);
    }

    public NetSettings through(@Nullable UpstreamProxy other, @Nullable Path roots) {
        return new NetSettings(nameServers, keptAtLeast, keptAtMost, other, roots);
    }

    Duration kept(Duration timeToLive) {
        if (timeToLive.compareTo(keptAtLeast) < 0) {
            return keptAtLeast;
        }
        return timeToLive.compareTo(keptAtMost) > 0 ? keptAtMost : timeToLive;
    }
}
