package io.sallyport.rules;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;

/** SHA-256, in hex, of a document and of a whole book. */
final class Digests {

    private Digests() {}

    static String of(byte[] bytes) {
        return HexFormat.of().formatHex(sha256().digest(bytes));
    }

    static String of(Collection<Source> sources) {
        return of(sources, new TreeMap<>());
    }

    /**
     * Over kind, name and bytes of each document, sorted by kind (identity, credential, policy) and name; the length keeps neighbours apart.
     * Then over name and SHA-256 of each file that documents name.
     */
    static String of(Collection<Source> sources, SortedMap<String, String> named) {
        MessageDigest digest = sha256();
        sources.stream().sorted(Source.BY_KIND_AND_NAME).forEach(source -> {
            byte[] bytes = source.bytes();
            String head = source.kind().key() + "\n" + source.name() + "\n" + bytes.length + "\n";
            digest.update(head.getBytes(StandardCharsets.UTF_8));
            digest.update(bytes);
        });
        named.forEach((file, sha256) ->
                digest.update(("file\n" + file + "\n" + sha256 + "\n").getBytes(StandardCharsets.UTF_8)));
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
