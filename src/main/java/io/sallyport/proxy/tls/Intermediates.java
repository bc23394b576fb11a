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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The issuers of leaves by what they are constrained to: from memory, else from the table, else made and written there first. */
final class Intermediates {

    private final JdbcIntermediates table;
    private final Lifetimes lifetimes;
    private final Clock clock;
    private final Cache<String, Issuer> held;

    /** @param most kept at once, about 2 KiB each; the least used go first */
    Intermediates(JdbcIntermediates table, Lifetimes lifetimes, Clock clock, int most) {
        this.table = table;
        this.lifetimes = lifetimes;
        this.clock = clock;
        this.held = Caffeine.newBuilder().maximumSize(most).build();
    }

    /** From memory alone; null where it would have to be made. */
    @Nullable
    Issuer current(Anchor anchor, String constraint) {
        Issuer issuer = held.getIfPresent(constraint);
        return issuer != null && fits(issuer, anchor) ? issuer : null;
    }

    /** @throws io.sallyport.store.StoreFault when it can't be written: an intermediate that no other node knows is not used */
    Issuer issuer(Anchors anchors, Anchor anchor, String constraint) {
        return held.asMap()
                .compute(
                        constraint,
                        (name, other) -> other != null && fits(other, anchor) ? other : obtain(anchors, anchor, name));
    }

    void retain(Predicate<String> constraints) {
        held.asMap().keySet().removeIf(constraints.negate());
    }

    private boolean fits(Issuer issuer, Anchor anchor) {
        return issuer.anchor().equals(anchor.id()) && clock.instant().isBefore(issuer.due());
    }

    private Issuer obtain(Anchors anchors, Anchor anchor, String constraint) {
        if (!anchor.signsIntermediates()) {
            return new Issuer(anchor.id(), anchor.certificate(), anchors.key(anchor), anchor.shown(), anchor.end());
        }
        return table.longest(anchor.id(), constraint)
                .map(row -> issuer(anchor, row))
                .filter(issuer -> fits(issuer, anchor))
                .orElseGet(() -> made(anchors, anchor, constraint));
    }

    private Issuer made(Anchors anchors, Anchor anchor, String constraint) {
        Instant now = clock.instant();
        KeyPair keys = Certificates.newKeys();
        Instant until = earlier(now.plus(lifetimes.intermediate()), anchor.end());
        X509Certificate certificate = Certificates.intermediate(
                constraint,
                keys,
                new Certificates.Signer(anchor.certificate(), anchors.key(anchor)),
                new Certificates.Validity(now.minus(Lifetimes.INTERMEDIATE_BACKDATED), until));
        JdbcIntermediates.Row row = new JdbcIntermediates.Row(certificate, keys.getPrivate());
        table.add(anchor.id(), constraint, row, now);
        return issuer(anchor, row);
    }

    /** Due with a third of its life left. What the end of the authority above cut short is not due before its end: nothing longer can be had. */
    private Issuer issuer(Anchor anchor, JdbcIntermediates.Row row) {
        Instant end = row.certificate().getNotAfter().toInstant();
        Duration ahead = lifetimes.intermediate().dividedBy(3);
        List<X509Certificate> shown = new ArrayList<>(List.of(row.certificate()));
        shown.addAll(anchor.shown());
        return new Issuer(
                anchor.id(), row.certificate(), row.key(), shown, end.isBefore(anchor.end()) ? end.minus(ahead) : end);
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
