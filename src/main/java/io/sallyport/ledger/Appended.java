package io.sallyport.ledger;

/**
 * Where an entry stands.
 *
 * @param seq from 0, without gaps
 * @param leafHash RFC 6962 section 2.1 leaf hash, lower-case hexadecimal
 */
public record Appended(long seq, String leafHash) {}
