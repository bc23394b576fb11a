package io.sallyport.credential;

import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import java.util.List;
import java.util.Optional;

/**
 * One credential for one grant at one destination, on one request, for as long as its flow needs it. The only thing that carries a secret
 * out of this room. The flow calls it in this order: {@link #inject}; where {@link #content} says so {@link #complete} or {@link #rewriter};
 * {@link #stamp} each time that the head is sent; {@link #answered}; {@link #close}.
 */
public interface Lease {

    /** The credential's name. */
    String credential();

    /**
     * Of the document and of the secret: another one after either changed. Says nothing of the secret. What was used with one version is
     * not to be used with another, where a destination binds a connection to whoever authenticated on it.
     */
    String version();

    /** Whether it signs what others have put on the request, and so comes after them. */
    default boolean signs() {
        return false;
    }

    /**
     * The head with the credential in its slot, as sensitive fields in place of any of those names, or in a sensitive target. Called once. A
     * client's certificate stands in none.
     *
     * @param asked as the agent sent it, to see what it brought in the slot; nothing of it may be taken over but that
     * @param outgoing what is to be sent: without the agent's credentials, with those that were injected before
     * @throws IllegalStateException when the lease was closed, or its grant has ended: nothing may be sent then
     */
    Injected inject(RequestHead asked, RequestHead outgoing);

    /** What it has to do with the content of this request. Known once it was injected. */
    default ContentUse content() {
        return ContentUse.NONE;
    }

    /**
     * Where {@link #content} is {@link ContentUse#WHOLE}: the head and the content as they are to be sent. Called once, before the use is
     * recorded. The caller sees to the framing of a content of another length.
     *
     * @param outgoing the head so far
     * @param content all of it, perhaps empty, as other leases have left it; not to be changed
     * @throws IllegalStateException as for {@link #inject}
     */
    default Injected complete(RequestHead outgoing, byte[] content) {
        throw new IllegalStateException("nothing of credential '" + credential() + "' depends on content");
    }

    /**
     * Where {@link #content} is {@link ContentUse#STREAM}: a fresh one each time that the request is sent. The length of what it writes was
     * said in the head.
     *
     * @throws IllegalStateException as for {@link #inject}
     */
    default ContentRewriter rewriter() {
        throw new IllegalStateException("nothing of credential '" + credential() + "' depends on content");
    }

    /**
     * The head with what has to be made anew each time that it is sent, as a proof that works once.
     *
     * @throws IllegalStateException as for {@link #inject}
     */
    default RequestHead stamp(RequestHead outgoing) {
        return outgoing;
    }

    /** The destination has answered: what it says there may be needed for the next request. */
    default void answered(ResponseHead head) {}

    /** Whether anything of it is on the request: of one that a client asks for by a placeholder, only where it did. */
    default boolean placed() {
        return true;
    }

    /** Byte strings on this request that are as good as the secret while they last, as a signature is; not the secret itself. */
    default List<byte[]> scrubbed() {
        return List.of();
    }

    /** Slots that the agent had filled in the content, which {@link #complete} emptied. */
    default List<String> removed() {
        return List.of();
    }

    /** A new watch for what must not stand in this request's content; empty for nothing, or where {@link #complete} sees to it. */
    default Optional<PlaceholderWatch> watch() {
        return Optional.empty();
    }

    /** Whether what must not stand there stands in this text, one of the request's trailers for instance. */
    default boolean misplaced(String text) {
        return false;
    }

    /**
     * What the connection proves itself with; empty for a secret that stands in a request.
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
