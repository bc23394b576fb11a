package io.sallyport.proxy;

import io.sallyport.store.Tx;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What an agent must trust to be intercepted, for whoever publishes it, and how another takes its place while the broker runs. */
public interface InterceptionRoot {

    /** What clients are to trust, as PEM: the one that signs first, then the others that are published. */
    String pem();

    /** Until what signs now ends; zero or negative when it is past. */
    Duration timeLeft();

    /**
     * What health should say: that it has ended, or ends within 90 days (a quarter of its life, where that is less), or that a file is
     * not used as it is. Every sandbox must be given a successor before.
     */
    Optional<String> warning();

    /** Every root of the broker's own, oldest first; empty where an authority was brought along. */
    List<State> states();

    /** Makes a successor, published beside the root that signs. */
    RollOver succeed(Tx tx) throws SQLException;

    /** The successor signs from now on; other nodes follow within seconds. The old root stays published. */
    RollOver promote(Tx tx) throws SQLException;

    /** Publishes a root no more that does not sign. */
    RollOver withdraw(Tx tx, String id) throws SQLException;

    /**
     * A root and what it is for.
     *
     * @param name as it stands in the certificate
     * @param sha256 fingerprint, as {@code openssl x509 -fingerprint -sha256} prints it
     * @param from when it begins
     * @param until when it ends
     */
    record State(String id, String name, String sha256, Instant from, Instant until, Use use) {}

    /** What a root is for. */
    enum Use {
        /** Intermediates are signed with it. */
        SIGNS,
        /** Clients are being given it, and it will sign. */
        SUCCEEDS,
        /** It signed, and clients still trust it. */
        SIGNED,
        /** Clients are to trust it no more. */
        WITHDRAWN,
        /** It is past its end. */
        ENDED
    }

    /** What became of a step of rolling over. */
    sealed interface RollOver {

        /** @param id of the root that was made, promoted or withdrawn */
        record Done(String id) implements RollOver {}

        /** @param reason for the operator */
        record Refused(String reason) implements RollOver {}
    }
}
