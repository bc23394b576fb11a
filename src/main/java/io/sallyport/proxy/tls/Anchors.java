package io.sallyport.proxy.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The authorities at the top: which one signs, which ones clients are to trust. */
interface Anchors {

    /** The one that signs now, as far as memory knows. @throws AuthorityExpired when every one is past its end */
    Anchor signer();

    /** Those that clients are to trust, the signer's first. */
    List<X509Certificate> trusted();

    /** Why what is on disk is not what is used; null where it is. */
    default @Nullable String problem() {
        return null;
    }

    /** Whether memory should be compared with the database: another node may have changed it. Never blocks. */
    boolean stale();

    /** Reads what other nodes may have changed, if it is time to. */
    void refresh();

    /** Opened for one signature, and not kept. */
    PrivateKey key(Anchor anchor);
}
