package io.sallyport.rules;

import io.sallyport.credential.Credential;
import io.sallyport.identity.Identity;
import io.sallyport.identity.KeyOrigin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The files beside documents that say whom to trust: with another content the same documents are another book. What is secret in such a
 * file's place (a {@code token-file}) is not among them; it changes by itself.
 *
 * @param roots by the name of the file, as scopes write it
 */
record NamedFiles(
        Collection<Identity> identities, Collection<Credential> credentials, Map<String, PrivateRoots> roots) {

    private static final String ABSENT = "absent";

    /** By what they are for. Where the content was read with the document, it is that reading's. */
    SortedMap<String, String> sha256() {
        SortedMap<String, String> all = new TreeMap<>();
        roots.forEach((file, read) -> all.put("policies/" + file, read.id()));
        for (Identity identity : identities) {
            if (identity.keys() instanceof KeyOrigin.Fixed(String jwks)) {
                all.put("identities/" + identity.name() + "/jwks", Digests.of(jwks.getBytes(StandardCharsets.UTF_8)));
            }
            Path trust = identity.trust();
            if (trust != null) {
                all.put("identities/" + identity.name() + "/trust", content(trust));
            }
        }
        for (Credential credential : credentials) {
            for (Path file : credential.trusts()) {
                all.put("credentials/" + credential.name() + "/" + file.getFileName(), content(file));
            }
        }
        return all;
    }

    /** Read at each call: one that is not there yet is that call's trouble. */
    private static String content(Path file) {
        try {
            return Digests.of(Files.readAllBytes(file));
        } catch (IOException unreadable) {
            return ABSENT;
        }
    }
}
