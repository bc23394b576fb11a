package io.sallyport.proxy.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An authority that was brought along: an intermediate of a company's own CA, in a file. A file that is replaced is taken up within ten
 * seconds, so that whoever renews it restarts nothing; one that can't be used is not, and health says so.
 */
final class BroughtAuthority implements Anchors {

    private static final Duration BELIEVED = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(BroughtAuthority.class);

    private final Path file;
    private final Clock clock;
    private volatile Known known;
    private volatile @Nullable String problem;

    private record Known(
            BroughtFile content, Anchor anchor, @Nullable FileTime written, Instant readAt) {}

    /** @throws AuthorityUnusable saying what is wrong with the file */
    BroughtAuthority(Path file, Clock clock) {
        this.file = file;
        this.clock = clock;
        this.known = read();
    }

    @Override
    public Anchor signer() {
        if (!clock.instant().isBefore(known.anchor.end())) {
            throw new AuthorityExpired(known.anchor.end(), "replace " + file + " (sallyport.proxy.authority)");
        }
        return known.anchor;
    }

    /** The last of the file: the root, where the file goes up to it. */
    @Override
    public List<X509Certificate> trusted() {
        return List.of(known.content.chain().getLast());
    }

    @Override
    public @Nullable String problem() {
        return problem;
    }

    @Override
    public boolean stale() {
        Duration age = Duration.between(known.readAt, clock.instant());
        return age.isNegative() || age.compareTo(BELIEVED) > 0;
    }

    @Override
    public synchronized void refresh() {
        if (!stale()) {
            return;
        }
        Known last = known;
        FileTime written = written();
        if (written != null && written.equals(last.written)) {
            known = new Known(last.content, last.anchor, written, clock.instant());
            return;
        }
        try {
            known = read();
            problem = null;
            LOG.info("{} was read anew", file);
        } catch (AuthorityUnusable unusable) {
            known = new Known(last.content, last.anchor, last.written, clock.instant());
            if (!String.valueOf(unusable.getMessage()).equals(problem)) {
                LOG.error("the authority before is kept: {}", unusable.getMessage());
            }
            problem = unusable.getMessage();
        }
    }

    @Override
    public PrivateKey key(Anchor anchor) {
        Known now = known;
        if (!now.anchor.id().equals(anchor.id())) {
            throw new IllegalStateException("the authority was replaced a moment ago");
        }
        return now.content.key();
    }

    private Known read() {
        // Asked before it is read: one that is replaced meanwhile is read once more.
        FileTime written = written();
        BroughtFile content = BroughtFile.read(file, clock.instant());
        return new Known(content, anchor(content.chain()), written, clock.instant());
    }

    private @Nullable FileTime written() {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return null;
        }
    }

    private static Anchor anchor(List<X509Certificate> chain) {
        X509Certificate own = chain.getFirst();
        List<X509Certificate> above = chain.stream()
                .skip(1)
                .filter(certificate -> !Certificates.selfIssued(certificate))
                .toList();
        return new Anchor("brought-" + Certificates.fingerprint(own), own, above, leavesRoom(chain));
    }

    /** Whether no path length in the file is used up by one more authority below (RFC 5280 section 4.2.1.9). */
    private static boolean leavesRoom(List<X509Certificate> chain) {
        for (int i = 0; i < chain.size(); i++) {
            if (chain.get(i).getBasicConstraints() < i + 1) {
                return false;
            }
        }
        return true;
    }
}
