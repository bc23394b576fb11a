package io.sallyport.credential;

import io.sallyport.http.Destination;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A credential document, compiled. */
record CompiledCredential(
        String name, List<Destination> destinations, BlastRadius blastRadius, Source source, Injection injection)
        implements Credential {

    CompiledCredential {
        destinations = List.copyOf(destinations);
    }

    @Override
    public Set<String> slots() {
        return Set.of(injection.field().toLowerCase(Locale.ROOT));
    }

    @Override
    public String sourceKind() {
        return source.kind();
    }

    @Override
    public String version() {
        return sha256(face() + "\n" + blastRadius + "\n" + source);
    }

    /**
     * What a written-in secret is sealed together with: who may change where it goes, or how it stands there, would otherwise send it
     * somewhere that the person who entered it never agreed to.
     */
    String faceDigest() {
        return sha256(face());
    }

    private String face() {
        List<String> places = destinations.stream()
                .map(destination -> destination + " " + destination.addresses())
                .sorted()
                .toList();
        return places + "\n" + injection;
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
