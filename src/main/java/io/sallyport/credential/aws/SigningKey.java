package io.sallyport.credential.aws;

/** What signs strings, derived from an access key. */
sealed interface SigningKey extends AutoCloseable permits HmacKey, EcdsaKey {

    static SigningKey derive(Algorithm algorithm, AccessKey key, CredentialScope scope) {
        return switch (algorithm) {
            case HMAC -> HmacKey.derive(key, scope);
            case ECDSA -> EcdsaKey.derive(key);
        };
    }

    Algorithm algorithm();

    /** Lower-case hex: 64 digits with HMAC; with ECDSA at most 144, those of the signature's DER form. */
    String sign(String stringToSign);

    /** @param signature in hex, without padding */
    boolean verifies(String stringToSign, String signature);

    @Override
    void close();
}
