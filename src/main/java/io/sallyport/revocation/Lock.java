package io.sallyport.revocation;

import java.time.Instant;

/**
 * Nothing that matches the selector can be exchanged until the lock is lifted.
 *
 * @param revocation the order that it came with
 */
public record Lock(String id, String revocation, Selector selector, String reason, String by, Instant since) {}
