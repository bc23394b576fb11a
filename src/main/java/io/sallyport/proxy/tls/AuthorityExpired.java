package io.sallyport.proxy.tls;

import java.time.Instant;

/** Every interception CA is past its end, so no leaf that a client would trust can be minted: the broker's own fault. */
public final class AuthorityExpired extends RuntimeException {

    private static final long serialVersionUID = 1L;

    AuthorityExpired(Instant end, String remedy) {
        super("the interception CA ended at " + end + "; " + remedy);
    }
}
