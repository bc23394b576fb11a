package io.sallyport.credential;

import io.sallyport.credential.injection.ConnectionProof;
import io.sallyport.credential.injection.Injection;
import io.sallyport.credential.injection.Injector;
import io.sallyport.credential.injection.Placement;
import io.sallyport.credential.source.Material;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One version of a secret, ready for use by many leases, zeroed when the last of those who hold it lets go. */
final class HeldSecret {

    private final String version;
    private final boolean signs;
    private final Injector injector;
    private final List<Shape> shapes;
    private final @Nullable ShapeSet set;
    private final @Nullable ClientCertificate certificate;
    private final AtomicInteger holders = new AtomicInteger(1);
    private volatile Runnable gone = () -> {};

    /**
     * What keeps the material from standing where the injection puts it, as in {@code "the secret is empty"}; null when nothing does.
     */
    static @Nullable String problem(Material material, Injection injection) {
        return injection.problem(material).orElse(null);
    }

    /** Takes the material over, which has no {@link #problem}: what is needed of it is derived here, once, and the material itself zeroed. */
    HeldSecret(String version, Injection injection, Material material) {
        this.version = version;
        this.signs = injection.signs();
        try (material) {
            this.injector = injection.injector(material, PlaceholderNeedle::new);
            this.shapes = shapes(injection.shown(material));
            this.set = shapes.isEmpty() ? null : new ShapeSet(shapes);
            this.certificate = injection instanceof ConnectionProof proof ? proof.certificate(material) : null;
        }
    }

    private static List<Shape> shapes(List<Injection.Shown> all) {
        List<Shape> shapes = new ArrayList<>();
        for (Injection.Shown shown : all) {
            byte[] pair = shown.pair();
            shapes.addAll(pair == null ? SecretShapes.of(shown.secret()) : SecretShapes.ofBasic(shown.secret(), pair));
            Arrays.fill(shown.secret(), (byte) 0);
            if (pair != null) {
                Arrays.fill(pair, (byte) 0);
            }
        }
        return List.copyOf(shapes);
    }

    /** Told apart from every other of this process, also one of the same credential. */
    String version() {
        return version;
    }

    /** What a connection proves itself with; null for a secret that stands in a request. */
    @Nullable
    ClientCertificate certificate() {
        return certificate;
    }

    boolean signs() {
        return signs;
    }

    /** For one request. */
    Placement placement(Clock clock) {
        return injector.placement(clock);
    }

    /** False when it has been let go for good: then it is not held. */
    boolean hold() {
        return holders.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    void letGo() {
        if (holders.decrementAndGet() == 0) {
            injector.close();
            gone.run();
        }
    }

    /** Run once, when the last of those who hold it has let go. To be set by its maker, before anybody else holds it. */
    void onGone(Runnable then) {
        this.gone = then;
    }

    /** The shapes outlive the value: an answer may still be on its way when its lease is closed, and must be scrubbed to its end. */
    List<Shape> shapes() {
        return shapes;
    }

    /** The same, ready to be sought; empty where there are none. */
    Optional<ShapeSet> set() {
        return Optional.ofNullable(set);
    }
}
