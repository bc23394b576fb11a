package io.sallyport.ledger;

/** The digest of the rule book in force, which every entry carries; asked for at each append. */
@FunctionalInterface
public interface BookDigest {

    /** Lower-case hexadecimal SHA-256. */
    String current();
}
