package io.sallyport.credential.injection;

import io.sallyport.credential.ClientCertificate;
import io.sallyport.net.CertifiedKey;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The text of a client's certificate: its chain and its plain private key, in PEM. */
final class CertificateText {

    private CertificateText() {}

    /** Why it can't be used, with nothing of the key; null when it can. */
    static @Nullable String problem(byte[] text) {
        return switch (CertifiedKey.read(text)) {
            case CertifiedKey.Read.Fit fit -> null;
            case CertifiedKey.Read.Unfit(String reason) -> reason;
        };
    }

    /** @throws IllegalStateException for a text that has a problem */
    static ClientCertificate read(byte[] text) {
        return switch (CertifiedKey.read(text)) {
            case CertifiedKey.Read.Fit(CertifiedKey held) ->
                new ClientCertificate(digest(text), held.chain(), held.key());
            case CertifiedKey.Read.Unfit(String reason) -> throw new IllegalStateException("the secret " + reason);
        };
    }

    private static String digest(byte[] text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
