package io.sallyport.credential;

import io.sallyport.http.Origin;
import io.sallyport.net.Cidr;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code sallyport.kms}: how AWS KMS is reached and who the broker is there, for a {@code sallyport.key} that names a key of it.
 *
 * @param endpoint in place of the region's public one; null for that
 * @param trust PEM file of the only roots that it is verified by; null for the system's
 * @param addresses reserved ranges in which it may live (a VPC endpoint)
 * @param accessKeyId null where the key is no KMS one
 * @param secretAccessKey {@code file:NAME} below {@code sallyport.secrets} or {@code env:SALLYPORT_SECRET_…}
 */
public record KmsSettings(
        @Nullable Origin endpoint,
        @Nullable Path trust,
        List<Cidr> addresses,
        @Nullable String accessKeyId,
        @Nullable String secretAccessKey) {

    public KmsSettings {
        addresses = List.copyOf(addresses);
        if ((accessKeyId == null) != (secretAccessKey == null)) {
            throw new IllegalArgumentException(
                    "sallyport.kms.access-key-id and sallyport.kms.secret-access-key are set both or not at all");
        }
        if (secretAccessKey != null && !secretAccessKey.matches("(file:[^/].*|env:SALLYPORT_SECRET_[A-Za-z0-9_]+)")) {
            throw new IllegalArgumentException(
                    "sallyport.kms.secret-access-key is file:NAME (below sallyport.secrets) or env:SALLYPORT_SECRET_…");
        }
    }

    public static KmsSettings none() {
        return new KmsSettings(null, null, List.of(), null, null);
    }
}
