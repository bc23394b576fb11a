package io.sallyport.rules;

import java.util.Arrays;
import java.util.Optional;

/** The three kinds of documents, each with the key that tells it and the folder where it lives. */
enum Kind {
    IDENTITY("identity", "identities"),
    CREDENTIAL("credential", "credentials"),
    POLICY("policy", "policies");

    private final String key;
    private final String folder;

    Kind(String key, String folder) {
        this.key = key;
        this.folder = folder;
    }

    String key() {
        return key;
    }

    String folder() {
        return folder;
    }

    static Optional<Kind> of(String key) {
        return Arrays.stream(values()).filter(kind -> kind.key.equals(key)).findFirst();
    }
}
