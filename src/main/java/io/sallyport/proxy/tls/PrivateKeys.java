package io.sallyport.proxy.tls;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;

/** Keys of authorities as they rest: PKCS#8. */
final class PrivateKeys {

    private PrivateKeys() {}

    /** @param encoded zeroed afterwards */
    static PrivateKey read(byte[] encoded) {
        try {
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("an authority's key can't be read", e);
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }
}
