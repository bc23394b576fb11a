package io.sallyport.ledger;

/**
 * Where an entry stands.
 *
 * @param seq from 0, without gaps
 */
public record Appended(long seq) {}
