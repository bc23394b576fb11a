package io.sallyport.credential;

import io.sallyport.credential.source.Fetch;
import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.Material;
import io.sallyport.credential.source.Revoker;
import io.sallyport.credential.source.SecretSource;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.document.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A source on another machine, which gives {@code secret-number-N} at its Nth answer and does what a test tells it. */
final class RemoteSource implements SecretSource {

    private final Sharing sharing;
    final AtomicInteger asked = new AtomicInteger();
    final List<String> revoked = new CopyOnWriteArrayList<>();
    final List<Fetch> fetches = new CopyOnWriteArrayList<>();
    volatile Duration lives = Duration.ofMinutes(1);
    volatile @Nullable SourceFault fault;
    volatile @Nullable SourceFault revocationFault;
    /** A question waits for it; null for none. */
    volatile @Nullable CountDownLatch gate;

    volatile boolean unchanged;

    RemoteSource(Sharing sharing) {
        this.sharing = sharing;
    }

    @Override
    public String kind() {
        return "remote";
    }

    @Override
    public Sharing sharing() {
        return sharing;
    }

    @Override
    public Fetched fetch(Fetch fetch) throws SourceFault, InterruptedException {
        int number = asked.incrementAndGet();
        fetches.add(fetch);
        CountDownLatch closed = gate;
        if (closed != null) {
            closed.await();
        }
        SourceFault now = fault;
        if (now != null) {
            throw now;
        }
        if (unchanged && fetch.known() != null) {
            return new Fetched.Unchanged(lives);
        }
        String secret = "secret-number-" + number;
        Revoker revoker = tools -> {
            SourceFault failed = revocationFault;
            if (failed != null) {
                throw failed;
            }
            revoked.add(secret);
        };
        return new Fetched.Given(Material.of(secret.getBytes(StandardCharsets.US_ASCII)), number, lives, revoker);
    }

    List<String> revokedInOrder() {
        List<String> all = new ArrayList<>(revoked);
        all.sort(null);
        return all;
    }

    /** Takes {@code only}, and counts its calls with this one. */
    @Override
    public Optional<SecretSource> narrowed(Keys keys) {
        return keys.text("only").map(only -> new Narrowed(this, only));
    }

    record Narrowed(RemoteSource whole, String only) implements SecretSource {

        @Override
        public String kind() {
            return whole.kind();
        }

        @Override
        public Fetched fetch(Fetch fetch) throws SourceFault, InterruptedException {
            return whole.fetch(fetch);
        }

        @Override
        public String toString() {
            return "Narrowed[" + only + "]";
        }
    }
}
