package io.sallyport.credential;

import io.sallyport.credential.injection.Placement;
import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A lease on a held secret. Closing it, or the end of its grant, takes the secret from it. */
final class HeldLease implements Lease {

    private static final int UNAUTHORIZED = 401;

    private final String credential;
    private final HeldSecret secret;
    private final WarmSecret home;
    private final Placement placement;
    private final Consumer<HeldLease> onClose;
    private boolean closed;

    /** @param secret held once already for this lease; @param home where it is kept warm */
    HeldLease(String credential, HeldSecret secret, WarmSecret home, Clock clock, Consumer<HeldLease> onClose) {
        this.credential = credential;
        this.secret = secret;
        this.home = home;
        this.placement = secret.placement(clock);
        this.onClose = onClose;
    }

    @Override
    public String credential() {
        return credential;
    }

    @Override
    public String version() {
        return secret.version();
    }

    @Override
    public boolean signs() {
        return secret.signs();
    }

    @Override
    public synchronized Injected inject(RequestHead asked, RequestHead outgoing) {
        open();
        return placement.head(asked, outgoing);
    }

    @Override
    public ContentUse content() {
        return placement.content();
    }

    @Override
    public synchronized Injected complete(RequestHead outgoing, byte[] content) {
        open();
        return placement.whole(outgoing, content);
    }

    @Override
    public synchronized ContentRewriter rewriter() {
        open();
        ContentRewriter inner = placement.rewriter();
        return new ContentRewriter() {
            @Override
            public Rewritten rewrite(ByteBuffer piece, boolean last) {
                synchronized (HeldLease.this) {
                    open();
                    return inner.rewrite(piece, last);
                }
            }
        };
    }

    @Override
    public synchronized RequestHead stamp(RequestHead outgoing) {
        open();
        return placement.stamp(outgoing);
    }

    @Override
    public synchronized void answered(ResponseHead head) {
        if (!closed) {
            placement.answered(head);
            // A 403 says that the secret is known and not enough: another one would be no better.
            if (head.status() == UNAUTHORIZED && placement.placed()) {
                home.rejected(secret);
            }
        }
    }

    @Override
    public boolean placed() {
        return placement.placed();
    }

    @Override
    public List<byte[]> scrubbed() {
        return placement.scrubbed();
    }

    @Override
    public List<String> removed() {
        return placement.removed();
    }

    @Override
    public Optional<PlaceholderWatch> watch() {
        return placement.watch();
    }

    @Override
    public boolean misplaced(String text) {
        return placement.misplaced(text);
    }

    @Override
    public synchronized Optional<ClientCertificate> certificate() {
        open();
        return Optional.ofNullable(secret.certificate());
    }

    private void open() {
        if (closed) {
            throw new IllegalStateException("the lease of credential '" + credential + "' is closed");
        }
    }

    /** Synchronised with what uses the secret: a value must not be zeroed halfway through being copied, and sent half. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            secret.letGo();
            onClose.accept(this);
        }
    }

    /** Where the secret is kept warm. */
    WarmSecret home() {
        return home;
    }

    /** Also of a closed lease: what was injected may still be echoed. */
    HeldSecret secret() {
        return secret;
    }

    @Override
    public boolean rejected() {
        return home.rejected(secret);
    }

    @Override
    public String toString() {
        return "Lease[" + credential + "]";
    }
}
