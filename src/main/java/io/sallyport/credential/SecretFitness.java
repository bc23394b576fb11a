package io.sallyport.credential;

import io.sallyport.credential.source.SecretValue;
import org.jspecify.annotations.Nullable;

/**
 * What may stand in a request: printable ASCII on one line, so that it can stand in a field and be recognised in an answer; PEM where the
 * secret is a client's certificate.
 */
final class SecretFitness {

    static final int SHORTEST = 8;

    private SecretFitness() {}

    /** What kind of thing is wrong with it, as in {@code "is empty"}, and nothing more of it; null for a fit one. */
    static @Nullable String problem(SecretValue secret, Injection injection) {
        if (secret.bytes().length > SecretValue.LONGEST) {
            return "is longer than 16 KiB";
        }
        return injection instanceof Injection.ClientCertificate
                ? CertificateText.problem(secret.bytes())
                : problem(secret.bytes());
    }

    private static @Nullable String problem(byte[] bytes) {
        int length = bytes.length;
        if (length == 0) {
            return "is empty";
        }
        for (byte b : bytes) {
            // A line end inside would end the field and begin another one of the secret's choosing.
            if (b < ' ' || b > '~') {
                return "has a line end, a control character or one beyond ASCII; printable ASCII on one line is allowed";
            }
        }
        if (bytes[0] == ' ' || bytes[length - 1] == ' ') {
            return "begins or ends with a space";
        }
        // Whatever is shorter turns up by chance in good data, and masking it there would destroy the data.
        return length < SHORTEST ? "is shorter than " + SHORTEST + " bytes" : null;
    }
}
