package io.sallyport.proxy.tls;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Mints leaves, one key for all of them: the key never leaves this process and ends with it, and a key per host would only cost time. */
public final class MintedLeaves implements LeafCertificates {

    private final InterceptionAuthority authority;
    private final Clock clock;
    private final KeyPair keys = Certificates.newKeys();
    private final Cache<String, Minted> leaves;
    private final LongAdder minted = new LongAdder();

    /** @param due when another should take its place */
    private record Minted(Leaf leaf, Issuer issuer, Instant due) {

        Instant end() {
            return leaf.certificate().getNotAfter().toInstant();
        }
    }

    /** @param most leaves kept at once, about 2 KiB each; the least used go first */
    public MintedLeaves(InterceptionAuthority authority, Clock clock, int most) {
        this.authority = authority;
        this.clock = clock;
        this.leaves = Caffeine.newBuilder().maximumSize(most).build();
    }

    /** Loads the cryptography's classes (up to a second when cold), so that the first client does not wait for them. Nothing of it is kept. */
    public void warmUp() {
        Instant now = clock.instant();
        var validity = new Certificates.Validity(now, now.plusSeconds(1));
        X509Certificate root = Certificates.root(keys, validity);
        var signer = new Certificates.Signer(root, keys.getPrivate());
        Certificates.intermediate("warm-up.invalid", keys, signer, validity);
        Certificates.leaf("warm-up.invalid", keys.getPublic(), signer, validity);
    }

    /** Another rule book: certificates for what it does not name go. */
    public void tidy() {
        SignableNames names = authority.tidy();
        leaves.asMap().keySet().removeIf(host -> !names.permit(host));
    }

    @Override
    public Leaf leaf(String host) {
        Issuer issuer = authority.issuer(host);
        Minted held = leaves.getIfPresent(host);
        if (held != null && fresh(held, issuer)) {
            return held.leaf;
        }
        // Computed under the entry's lock: a hundred connections to a new host wait for one minting.
        return leaves.asMap()
                .compute(host, (name, other) -> other != null && fresh(other, issuer) ? other : mint(name, issuer))
                .leaf;
    }

    @Override
    public boolean ready(String host) {
        Minted held = leaves.getIfPresent(host);
        return held != null && fresh(held, authority.current(host));
    }

    @Override
    public Optional<Leaf> cached(String host) {
        return Optional.ofNullable(leaves.getIfPresent(host))
                .filter(held -> clock.instant().isBefore(held.end()))
                .map(Minted::leaf);
    }

    @Override
    public long minted() {
        return minted.sum();
    }

    /** Leaves in the cache, once what is too much has left it. */
    long held() {
        leaves.cleanUp();
        return leaves.estimatedSize();
    }

    private boolean fresh(Minted held, @Nullable Issuer issuer) {
        return held.issuer == issuer && clock.instant().isBefore(held.due);
    }

    private Minted mint(String host, Issuer issuer) {
        X509Certificate certificate = authority.leaf(host, keys.getPublic(), issuer);
        minted.increment();
        List<X509Certificate> chain = new ArrayList<>(List.of(certificate));
        chain.addAll(issuer.shown());
        return new Minted(new Leaf(keys.getPrivate(), chain), issuer, due(certificate, issuer));
    }

    /** With a third of its life left. What the issuer's end cut short is due with the issuer: nothing longer can be had before. */
    private static Instant due(X509Certificate certificate, Issuer issuer) {
        Instant end = certificate.getNotAfter().toInstant();
        if (!end.isBefore(issuer.end())) {
            return issuer.due();
        }
        Instant from = certificate.getNotBefore().toInstant().plus(Lifetimes.BACKDATED);
        return end.minus(Duration.between(from, end).dividedBy(3));
    }
}
