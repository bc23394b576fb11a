package io.sallyport.admin;

import io.sallyport.store.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** The interception CA as an operator rolls it over. Implemented above: this room knows no hop. */
public interface Authorities {

    /**
     * A root of the broker's own.
     *
     * @param name as it stands in the certificate
     * @param sha256 fingerprint of the certificate
     * @param use {@code signs}, {@code succeeds}, {@code signed}, {@code withdrawn} or {@code ended}
     */
    record Authority(String id, String name, String sha256, Instant from, Instant until, String use) {}

    /** Oldest first; empty where an authority was brought along. */
    List<Authority> all();

    /** Makes a successor, published beside the one that signs. */
    Step succeed(Tx tx) throws SQLException;

    /** The successor signs from now on. */
    Step promote(Tx tx) throws SQLException;

    /** Publishes one no more that does not sign. */
    Step withdraw(Tx tx, String id) throws SQLException;

    /** What became of a step. */
    sealed interface Step {

        /** @param id of the authority that it was about */
        record Done(String id) implements Step {}

        record Refused(String reason) implements Step {}
    }
}
