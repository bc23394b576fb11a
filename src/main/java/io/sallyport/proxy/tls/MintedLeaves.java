package io.sallyport.proxy.tls;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Mints leaves, one key for all of them: the key never leaves this process and ends with it, and a key per host would only cost time. */
public final class MintedLeaves implements LeafCertificates {

    private final InterceptionAuthority authority;
    private final Clock clock;
    private final KeyPair keys = Certificates.newKeys();
    private final Cache<String, Leaf> leaves;

    /** @param most leaves kept at once, about 2 KiB each; the least used go first */
    public MintedLeaves(InterceptionAuthority authority, Clock clock, int most) {
        this.authority = authority;
        this.clock = clock;
        this.leaves = Caffeine.newBuilder().maximumSize(most).build();
    }

    /** Loads the cryptography's classes (up to a second when cold), so that the first client does not wait for them. */
    public void warmUp() {
        mint("warm-up.invalid");
    }

    @Override
    public Leaf leaf(String host) {
        Leaf held = leaves.getIfPresent(host);
        if (held != null && !due(held)) {
            return held;
        }
        // Computed under the entry's lock: a hundred connections to a new host wait for one minting.
        return leaves.asMap().compute(host, (name, other) -> other == null || due(other) ? mint(name) : other);
    }

    @Override
    public Optional<Leaf> cached(String host) {
        return Optional.ofNullable(leaves.getIfPresent(host))
                .filter(leaf -> clock.instant().isBefore(end(leaf)));
    }

    @Override
    public String authorityPem() {
        return authority.pem();
    }

    @Override
    public Duration authorityTimeLeft() {
        return authority.timeLeft();
    }

    private Leaf mint(String host) {
        X509Certificate certificate = authority.issue(host, keys.getPublic());
        return new Leaf(keys.getPrivate(), List.of(certificate));
    }

    /** Whether less than a third of its life is left. What the root's end cut short is not due again and again: nothing longer can be had. */
    private boolean due(Leaf leaf) {
        Instant now = clock.instant();
        if (!end(leaf).isBefore(InterceptionAuthority.end(authority.certificate()))) {
            return !now.isBefore(end(leaf));
        }
        Instant minted = leaf.certificate().getNotBefore().toInstant().plus(Lifetimes.BACKDATED);
        Duration life = Duration.between(minted, end(leaf));
        return Duration.between(now, end(leaf)).multipliedBy(3).compareTo(life) < 0;
    }

    private static Instant end(Leaf leaf) {
        return InterceptionAuthority.end(leaf.certificate());
    }
}
