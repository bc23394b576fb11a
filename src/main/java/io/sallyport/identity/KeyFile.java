package io.sallyport.identity;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import io.sallyport.http.Parsed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.HashSet;
import java.util.Set;

/** The file of public keys (RFC 7517 section 5) that a document names. */
final class KeyFile {

    private static final long LIMIT = 256 * 1024;

    private KeyFile() {}

    static Parsed<KeyOrigin.Fixed> read(Path file) {
        try {
            if (Files.size(file) > LIMIT) {
                return Parsed.malformed("is larger than 256 KiB: " + file);
            }
            return read(Files.readString(file), file);
        } catch (IOException unreadable) {
            return Parsed.malformed(
                    "can't be read: " + file + "; allowed: a JSON Web Key Set, from the document's folder");
        }
    }

    private static Parsed<KeyOrigin.Fixed> read(String text, Path file) {
        JWKSet set;
        try {
            set = JWKSet.parse(text);
        } catch (ParseException notKeys) {
            // The parser's message may quote the file, which may be something else altogether.
            return Parsed.malformed("is no JSON Web Key Set: " + file);
        }
        if (set.isEmpty()) {
            return Parsed.malformed("has no key: " + file);
        }
        Set<String> ids = new HashSet<>();
        for (JWK key : set.getKeys()) {
            if (key.isPrivate() || key.getKeyType().equals(KeyType.OCT)) {
                return Parsed.malformed("has a private or symmetric key: " + file + "; allowed: public keys alone");
            }
            if (key.getKeyID() != null && !ids.add(key.getKeyID())) {
                return Parsed.malformed("has two keys with one kid: " + file);
            }
        }
        return Parsed.valid(new KeyOrigin.Fixed(set.toString()));
    }
}
