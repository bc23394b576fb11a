package io.sallyport.store;

/** Encrypts what rests in the database (AES-256-GCM under the key of {@code sallyport.key}), bound to the place where it rests. */
public interface Seal {

    /**
     * @param place names the row that it is for, as in {@code signing-key/2026-01}: a sealed value moved elsewhere does not open
     */
    byte[] seal(byte[] plain, String place);

    /** @throws StoreFault when the key is another, the place is another, or a bit has changed */
    byte[] open(byte[] sealed, String place);
}
