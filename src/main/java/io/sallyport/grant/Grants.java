package io.sallyport.grant;

import io.sallyport.store.Tx;
import java.net.InetAddress;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The grants that stand, in memory and on disk. Looked up at each use. */
public interface Grants {

    /** Writes the grant; it stands once the transaction is committed. */
    void open(Tx tx, Grant grant) throws SQLException;

    /** Recognises the token of a request: signature, then the grant, its end and its binding. Answers from memory. */
    Recognition recognise(String token, InetAddress source);

    /** Whether the grant (and each of its ancestors) stands at this moment. */
    boolean stands(Grant grant);

    Optional<Grant> byId(String id);

    Optional<Grant> byJti(String jti);

    /** Those that stand and match. */
    List<Grant> standing(Predicate<Grant> selector);

    /**
     * Ends the grants and their descendants in memory, at once, and tells the listeners. Idempotent; needs no store.
     *
     * @return those that stood until now, descendants included
     */
    List<Grant> endInMemory(Collection<Grant> grants, EndReason reason);

    /** Makes an ending durable. */
    void recordEnd(Tx tx, Collection<Grant> grants, EndReason reason) throws SQLException;

    /** Reserves, or says which limit refuses. All or nothing. */
    Reservation reserve(Tx tx, Charge charge) throws SQLException;

    /** Gives a charge back: only when nothing of it was sent. */
    void giveBack(Tx tx, Charge charge) throws SQLException;

    /** What a grant has used so far: uses and bytes. */
    Usage usage(String grantId);

    /** @param uses requests admitted; @param bytesOut bytes released */
    record Usage(long uses, long bytesOut) {}

    /** Called synchronously, on the ending thread, for each grant that ends other than by expiry. */
    void onEnded(Consumer<GrantEnded> listener);
}
