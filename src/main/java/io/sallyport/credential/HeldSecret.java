package io.sallyport.credential;

import io.sallyport.credential.source.Material;
import io.sallyport.credential.source.SecretValue;
import io.sallyport.http.Field;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One version of a secret, ready for use by many leases, zeroed when the last of those who hold it lets go. */
final class HeldSecret {

    private final String version;
    private final String field;
    private final byte[] value;
    private final List<Shape> shapes;
    private final @Nullable ShapeSet set;
    private final @Nullable ClientCertificate certificate;
    private final AtomicInteger holders = new AtomicInteger(1);
    private volatile Runnable gone = () -> {};

    /**
     * What keeps the material from standing where the injection puts it, as in {@code "the secret is empty"}; null when nothing does.
     */
    static @Nullable String problem(Material material, Injection injection) {
        Optional<SecretValue> secret = material.part(Material.SECRET);
        if (secret.isEmpty()) {
            return "its source gave no part " + Material.SECRET + ", only " + String.join(", ", material.names());
        }
        String problem = SecretFitness.problem(secret.get(), injection);
        return problem == null ? null : "the secret " + problem;
    }

    /** Takes the material over, which has no {@link #problem}: what is needed of it is derived here, once, and the material itself zeroed. */
    HeldSecret(String version, Injection injection, Material material) {
        this.version = version;
        try (material) {
            SecretValue secret = material.part(Material.SECRET).orElseThrow();
            this.field = injection.field();
            this.value = injection.value(secret);
            this.shapes = injection.shapes(secret);
            this.set = shapes.isEmpty() ? null : new ShapeSet(shapes);
            this.certificate =
                    injection instanceof Injection.ClientCertificate ? CertificateText.read(secret.bytes()) : null;
        }
    }

    /** Told apart from every other of this process, also one of the same credential. */
    String version() {
        return version;
    }

    /** What a connection proves itself with; null for a secret that stands in a field. */
    @Nullable
    ClientCertificate certificate() {
        return certificate;
    }

    /** False when it has been let go for good: then it is not held. */
    boolean hold() {
        return holders.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    void letGo() {
        if (holders.decrementAndGet() == 0) {
            Arrays.fill(value, (byte) 0);
            gone.run();
        }
    }

    /** Run once, when the last of those who hold it has let go. To be set by its maker, before anybody else holds it. */
    void onGone(Runnable then) {
        this.gone = then;
    }

    /** A field's value has to be a String, which can't be zeroed; so it is made anew for each head and kept nowhere. */
    Field field() {
        return new Field(field, new String(value, StandardCharsets.ISO_8859_1), true);
    }

    /** The shapes outlive the value: an answer may still be on its way when its lease is closed, and must be scrubbed to its end. */
    List<Shape> shapes() {
        return shapes;
    }

    /** @throws NullPointerException for a secret that is never sent: nothing of it can be sought */
    ShapeSet set() {
        return Objects.requireNonNull(set, "a secret that is never sent has no shapes");
    }
}
