package io.sallyport.credential;

import io.sallyport.http.Fields;
import java.util.Optional;

/** One credential for one grant at one destination, for as long as the flow needs it. The only thing that carries a secret out of this room. */
public interface Lease {

    /** The credential's name. */
    String credential();

    /**
     * Of the document and of the secret: another one after either changed. Says nothing of the secret. What was used with one version is
     * not to be used with another, where a destination binds a connection to whoever authenticated on it.
     */
    String version();

    /**
     * The head with the secret in its slot, as one sensitive field in place of any of that name; a client's certificate stands in none.
     *
     * @throws IllegalStateException when the lease was closed, or its grant has ended: nothing may be sent then
     */
    Fields inject(Fields fields);

    /**
     * What the connection proves itself with; empty for a secret that stands in a field.
     *
     * @throws IllegalStateException as for {@link #inject}
     */
    default Optional<ClientCertificate> certificate() {
        return Optional.empty();
    }

    /**
     * The destination has answered 401 to a request that carried it: its secret is taken for dead, once, and the next lease asks the
     * source. A 403 is no reason to call this: it says that the secret is known and not enough.
     *
     * @return whether another lease may have another secret, so that a request that can be sent again is worth it
     */
    default boolean rejected() {
        return false;
    }

    /** Forgets the secret. Idempotent. */
    void close();
}
