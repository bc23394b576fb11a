package io.sallyport.credential;

import io.sallyport.store.Tx;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/**
 * Which places secrets may go to, besides what documents say. Those that a credential has when it is first used count as confirmed; one that
 * a later change adds (another destination, another injection) does not, until a person confirms it. Else whoever may edit a document could
 * send a secret to a server of theirs. What is written in is held to its document by its seal, and never asked here.
 */
public interface Places {

    /**
     * A book that is in force from now on. Documents of a source that is new to the broker are remembered as met together: when the first of
     * them is used, the places that the others had in this book count as confirmed too. One that a later book adds is none of them.
     */
    void inForce(Collection<Credential> credentials);

    /** In words for a person, sorted; empty where all are confirmed, or the credential was never used. */
    List<String> unconfirmed(Credential credential);

    /** What has been confirmed of it and of its source so far, sorted, also where its document no longer says so: what a change is one of. */
    List<String> confirmed(Credential credential);

    /** The credential's places, as they are now, are confirmed when the transaction is on disk. @param by who, as the ledger names them */
    void confirm(Tx tx, Credential credential, String by) throws SQLException;
}
