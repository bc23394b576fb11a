package io.sallyport.credential;

import java.nio.file.Path;

/** @param secrets {@code sallyport.secrets}: the folder of {@code file} sources; it need not exist when there are none */
public record CredentialSettings(Path secrets) {}
