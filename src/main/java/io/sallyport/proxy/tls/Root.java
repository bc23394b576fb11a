package io.sallyport.proxy.tls;

import java.security.cert.X509Certificate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A root of the broker's own.
 *
 * @param signsFrom when it was made the one that signs; null while clients are only being given it
 * @param withdrawnAt when clients were told to trust it no more; null while they are to
 */
record Root(
        String id,
        X509Certificate certificate,
        Instant createdAt,
        @Nullable Instant signsFrom,
        @Nullable Instant withdrawnAt) {

    Instant end() {
        return certificate.getNotAfter().toInstant();
    }

    /** Neither past its end nor withdrawn. */
    boolean holds(Instant now) {
        return withdrawnAt == null && now.isBefore(end());
    }
}
