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

    /**
     * Writes the grant; it stands once the transaction is committed. Looks at its parent and at the locks again, in the transaction: an
     * order that comes between the caller's own look and the commit wins.
     *
     * @throws IllegalArgumentException when a child is wider or longer than its parent, which is the caller's fault
     */
    Opening open(Tx tx, Grant grant) throws SQLException;

    /** Recognises the token of a request: signature, then the grant, its end and its binding. Answers from memory. */
    Recognition recognise(String token, InetAddress source);

    /**
     * Recognises a task token that is shown to take a part of its task. The same, but for a grant that is bound to a listener: its token
     * opens nothing at the hop, and is here what its holder shows.
     */
    Recognition recogniseHeld(String token, InetAddress source);

    /** The grant that a token of this broker names, standing or not, wherever it is shown; empty where memory does not have it. */
    Optional<Grant> named(String token);

    /** Whether the grant (and each of its ancestors) stands at this moment. */
    boolean stands(Grant grant);

    /** Those that stand, are used by their token, and are bound to a range that holds the address. */
    List<Grant> boundTo(InetAddress source);

    /** Standing or not: from memory, else from disk. */
    Optional<Grant> byId(String id);

    /** Standing or not: from memory, else from disk. */
    Optional<Grant> byJti(String jti);

    /** Those that stand and match. */
    List<Grant> standing(Predicate<Grant> selector);

    /** The grant if it stands; from memory alone, whatever the store does. */
    default Optional<Grant> standing(String id) {
        return standing(grant -> grant.id().equals(id)).stream().findFirst();
    }

    /** Those of one task that stand: its first grant and what was exchanged from it. */
    default List<Grant> ofTask(String task) {
        return standing(grant -> grant.task().equals(task));
    }

    /**
     * Ends the grants and their descendants in memory, at once, and tells the listeners. Idempotent; needs no store.
     *
     * @return those that stood until now, descendants included
     */
    List<Grant> endInMemory(Collection<Grant> grants, EndReason reason);

    /** Makes an ending durable. */
    void recordEnd(Tx tx, Collection<Grant> grants, EndReason reason) throws SQLException;

    /** Reserves, or says which limit refuses. All or nothing, also when the caller commits the refusal's entry in the same transaction. */
    Reservation reserve(Tx tx, Charge charge) throws SQLException;

    /** Gives a reservation back: only when nothing of it was sent, and once. */
    void giveBack(Tx tx, Reservation.Reserved reserved) throws SQLException;

    /** What a grant and its descendants have used so far; read from disk, zero for an unknown one. */
    Usage usage(String grantId);

    /** @param uses requests admitted; @param bytesOut bytes released */
    record Usage(long uses, long bytesOut) {}

    /** Called synchronously, on the ending thread, for each grant that ends other than by expiry. */
    void onEnded(Consumer<GrantEnded> listener);
}
