package io.sallyport.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce. A sealed value is version (1 byte, 1), key id (8), nonce (12), ciphertext and
 * tag (16); the additional data is version, key id and place. Key and key id come from the master key by HKDF-SHA256 (RFC 5869).
 */
final class AesGcmSeal implements Seal {

    private static final byte VERSION = 1;
    private static final int ID_BYTES = 8;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int HEADER_BYTES = 1 + ID_BYTES;

    private final SecureRandom random = new SecureRandom();
    private final SecretKey key;
    private final byte[] header;

    AesGcmSeal(byte[] master) {
        key = new SecretKeySpec(derive(master, "sallyport seal v1", 32), "AES");
        header = ByteBuffer.allocate(HEADER_BYTES)
                .put(VERSION)
                .put(derive(master, "sallyport key id v1", ID_BYTES))
                .array();
    }

    String keyId() {
        return keyId(header);
    }

    /** The id of the key that a value was sealed with, in hexadecimal. */
    static String keyId(byte[] sealed) {
        return HexFormat.of().formatHex(sealed, 1, HEADER_BYTES);
    }

    /** Whether it is long enough to name one. */
    static boolean hasKeyId(byte[] sealed) {
        return sealed.length >= HEADER_BYTES;
    }

    boolean sealedByMe(byte[] sealed) {
        return sealed.length >= HEADER_BYTES && Arrays.equals(sealed, 0, HEADER_BYTES, header, 0, HEADER_BYTES);
    }

    @Override
    public byte[] seal(byte[] plain, String place) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] encrypted = cipher(Cipher.ENCRYPT_MODE, nonce, place).doFinal(plain);
            return ByteBuffer.allocate(HEADER_BYTES + NONCE_BYTES + encrypted.length)
                    .put(header)
                    .put(nonce)
                    .put(encrypted)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new StoreFault("The value for " + place + " can't be sealed", e);
        }
    }

    @Override
    public byte[] open(byte[] sealed, String place) {
        if (sealed.length < HEADER_BYTES + NONCE_BYTES + TAG_BITS / 8 || sealed[0] != VERSION) {
            throw new StoreFault("What rests at " + place + " is not a sealed value");
        }
        if (!sealedByMe(sealed)) {
            throw new StoreFault("What rests at " + place + " was sealed with another key");
        }
        byte[] nonce = Arrays.copyOfRange(sealed, HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
        int from = HEADER_BYTES + NONCE_BYTES;
        try {
            return cipher(Cipher.DECRYPT_MODE, nonce, place).doFinal(sealed, from, sealed.length - from);
        } catch (GeneralSecurityException e) {
            throw new StoreFault("What rests at " + place + " was changed, or was sealed for another place", e);
        }
    }

    private Cipher cipher(int mode, byte[] nonce, String place) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(header);
        cipher.updateAAD(place.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    private static byte[] derive(byte[] master, String purpose, int length) {
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(HKDFParameterSpec.ofExtract()
                            .addIKM(master)
                            .thenExpand(purpose.getBytes(StandardCharsets.UTF_8), length));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK 25 has HKDF-SHA256", e);
        }
    }
}
