package io.sallyport.credential;

import io.sallyport.credential.injection.Injection;
import io.sallyport.credential.source.SecretSource;
import io.sallyport.document.Keys;
import io.sallyport.http.Destination;
import io.sallyport.http.Target;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A credential document, compiled; what is asked at each use is worked out once. */
final class CompiledCredential implements Credential {

    private final String name;
    private final List<Destination> destinations;
    private final BlastRadius blastRadius;
    private final SecretSource source;
    private final Injection injection;
    private final Optional<AccountCheck> account;
    private final Set<String> slots;
    private final String version;
    private final String document;

    CompiledCredential(
            String name,
            List<Destination> destinations,
            BlastRadius blastRadius,
            SecretSource source,
            Injection injection,
            Optional<AccountCheck> account) {
        this(name, destinations, blastRadius, source, injection, account, null);
    }

    /** @param document what it narrows; null for a document itself */
    private CompiledCredential(
            String name,
            List<Destination> destinations,
            BlastRadius blastRadius,
            SecretSource source,
            Injection injection,
            Optional<AccountCheck> account,
            @Nullable String document) {
        this.name = name;
        this.destinations = List.copyOf(destinations);
        this.blastRadius = blastRadius;
        this.injection = injection;
        this.account = account;
        this.source = account.<SecretSource>map(check -> new AccountSource(source, check, injection))
                .orElse(source);
        this.slots = injection.slots();
        this.version = sha256(face() + "\n" + blastRadius + "\n" + source
                + account.map(check -> "\n" + check).orElse(""));
        this.document = document == null ? name + "@" + version : document;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Destination> destinations() {
        return destinations;
    }

    @Override
    public BlastRadius blastRadius() {
        return blastRadius;
    }

    @Override
    public List<Path> trusts() {
        return source.trusts();
    }

    @Override
    public Optional<Credential> narrowed(Keys keys) {
        return source.narrowed(keys)
                .map(narrower -> new CompiledCredential(
                        name, destinations, blastRadius, narrower, injection, account, document));
    }

    /** The same for all that a document gives, however narrowed, and another one when the document changes. */
    String document() {
        return document;
    }

    SecretSource source() {
        return source;
    }

    Injection injection() {
        return injection;
    }

    @Override
    public Set<String> slots() {
        return slots;
    }

    @Override
    public Optional<String> placeholder() {
        return injection.placeholder();
    }

    @Override
    public Target redacted(Target target) {
        return injection.redacted(target);
    }

    @Override
    public String sourceKind() {
        return source.kind();
    }

    @Override
    public String version() {
        return version;
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
        return places + "\n" + injection + (source.sealedWith().isEmpty() ? "" : "\n" + source.sealedWith());
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
