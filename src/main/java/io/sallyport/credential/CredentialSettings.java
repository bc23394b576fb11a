package io.sallyport.credential;

import java.nio.file.Path;

/**
 * @param secrets {@code sallyport.secrets}: the folder of {@code file} sources; it need not exist when there are none
 * @param confirmPlaces {@code sallyport.confirm-places}: whether a person confirms where a changed credential may go
 */
public record CredentialSettings(Path secrets, boolean confirmPlaces) {

    public CredentialSettings(Path secrets) {
        this(secrets, true);
    }
}
