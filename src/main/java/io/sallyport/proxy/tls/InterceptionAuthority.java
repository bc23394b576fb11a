package io.sallyport.proxy.tls;

import io.sallyport.store.Seal;
import io.sallyport.store.Writer;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;

/** The root that signs leaves: made at the first start, sealed in the database, the same after every restart. */
public final class InterceptionAuthority {

    private final Certificates.Issuer issuer;
    private final Lifetimes lifetimes;
    private final Clock clock;

    InterceptionAuthority(Certificates.Issuer issuer, Lifetimes lifetimes, Clock clock) {
        this.issuer = issuer;
        this.lifetimes = lifetimes;
        this.clock = clock;
    }

    /**
     * The stored root, or a new one where there is none yet or where the last one is past its end. Looking and making are one
     * transaction, so that two starts at once still agree on one root.
     *
     * @throws io.sallyport.store.StoreFault when the store can't be used, or the root was sealed with another key: a new root in its
     *     place would break every running sandbox without a word
     */
    public static InterceptionAuthority open(Writer writer, Seal seal, Lifetimes lifetimes, Clock clock) {
        Certificates.Issuer issuer = writer.write(tx -> {
            var rows = new JdbcAuthorities(tx, seal);
            var newest = rows.newest();
            Instant now = clock.instant();
            if (newest.isPresent() && now.isBefore(end(newest.get().certificate()))) {
                return newest.get();
            }
            Certificates.Issuer made = make(now, lifetimes);
            rows.add(made, now);
            return made;
        });
        return new InterceptionAuthority(issuer, lifetimes, clock);
    }

    public X509Certificate certificate() {
        return issuer.certificate();
    }

    /** As clients put it in their trust store (RFC 7468). */
    public String pem() {
        try {
            byte[] der = certificate().getEncoded();
            String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
            return "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n";
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("the interception CA can't be encoded", e);
        }
    }

    /** Until the end of the root; zero or negative when it is past. */
    public Duration timeLeft() {
        return Duration.between(clock.instant(), end(certificate()));
    }

    /** A leaf that never outlives the root. @throws AuthorityExpired when the root is past its end */
    X509Certificate issue(String host, PublicKey key) {
        Instant now = clock.instant();
        Instant end = end(certificate());
        if (!now.isBefore(end)) {
            throw new AuthorityExpired(end);
        }
        Instant until = now.plus(lifetimes.leaf());
        var validity = new Certificates.Validity(now.minus(Lifetimes.BACKDATED), until.isBefore(end) ? until : end);
        return Certificates.leaf(host, key, issuer, validity);
    }

    static Instant end(X509Certificate certificate) {
        return certificate.getNotAfter().toInstant();
    }

    /** The root begins a day before the earliest leaf that it can sign, so that a lagging clock accepts both or neither. */
    private static Certificates.Issuer make(Instant now, Lifetimes lifetimes) {
        KeyPair keys = Certificates.newKeys();
        Instant from = now.minus(Lifetimes.BACKDATED.multipliedBy(2)).truncatedTo(ChronoUnit.SECONDS);
        var validity = new Certificates.Validity(from, now.plus(lifetimes.authority()));
        return new Certificates.Issuer(Certificates.root(keys, validity), keys.getPrivate());
    }
}
