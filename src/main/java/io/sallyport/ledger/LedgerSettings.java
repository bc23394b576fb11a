package io.sallyport.ledger;

/**
 * Who is writing.
 *
 * @param version of the broker
 * @param node name of this one
 */
public record LedgerSettings(String version, String node) {}
