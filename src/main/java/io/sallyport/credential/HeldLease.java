package io.sallyport.credential;

import io.sallyport.http.Fields;
import java.util.Optional;
import java.util.function.Consumer;

/** A lease on a held secret. Closing it, or the end of its grant, takes the secret from it. */
final class HeldLease implements Lease {

    private final String credential;
    private final HeldSecret secret;
    private final WarmSecret home;
    private final Consumer<HeldLease> onClose;
    private boolean closed;

    /** @param secret held once already for this lease; @param home where it is kept warm */
    HeldLease(String credential, HeldSecret secret, WarmSecret home, Consumer<HeldLease> onClose) {
        this.credential = credential;
        this.secret = secret;
        this.home = home;
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
    public synchronized Fields inject(Fields fields) {
        if (closed) {
            throw new IllegalStateException("the lease of credential '" + credential + "' is closed");
        }
        return secret.certificate() == null ? fields.with(secret.field()) : fields;
    }

    @Override
    public synchronized Optional<ClientCertificate> certificate() {
        if (closed) {
            throw new IllegalStateException("the lease of credential '" + credential + "' is closed");
        }
        return Optional.ofNullable(secret.certificate());
    }

    /** Synchronised with {@link #inject}: a value must not be zeroed halfway through being copied, and sent half. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            secret.letGo();
            onClose.accept(this);
        }
    }

    /** Also of a closed lease: what was injected may still be echoed. */
    HeldSecret scrubbed() {
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
