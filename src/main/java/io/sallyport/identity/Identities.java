package io.sallyport.identity;

import java.util.SortedSet;
import java.util.TreeSet;

/** The compiled identities of one rule book, with their key sources. */
public interface Identities {

    /** @param token a JWT in compact form; anything else is rejected. May wait for the issuer's keys. */
    Verification verify(String token);

    /** Whether some identity names this issuer: so a token of a trusted identity can be told from garbage. */
    boolean issued(String token);

    /** The JWS algorithms (RFC 7518) that some identity takes, for the metadata; sorted. */
    default SortedSet<String> algorithms() {
        return new TreeSet<>();
    }
}
