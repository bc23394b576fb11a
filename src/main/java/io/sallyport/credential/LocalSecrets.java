package io.sallyport.credential;

import io.sallyport.store.Tx;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;

/**
 * Takes secrets that a person writes in. They are sealed together with the credential's destinations and injection, and can be replaced
 * but never read. Two steps, because a stream can be read once and a transaction's work may be run again.
 */
public interface LocalSecrets {

    sealed interface Entry {

        record Taken(SealedSecret secret) implements Entry {}

        /** @param reason names the credential, never anything of the secret */
        record Refused(String reason) implements Entry {}
    }

    /**
     * Reads the stream to its end, checks and seals.
     *
     * @param secret 8 bytes to 16 KiB of printable ASCII; one line end at the end is taken off
     */
    Entry seal(Credential credential, InputStream secret) throws IOException;

    /** Writes it, in place of the one before; leases after the commit have the new one. @param by who, as the ledger names them */
    void put(Tx tx, SealedSecret secret, String by) throws SQLException;
}
