package io.sallyport.ledger;

import java.security.MessageDigest;

/**
 * The two hashes of an entry. Leaf: SHA-256(0x00 ‖ entry), as RFC 6962 section 2.1 has it, so that a Merkle tree can be laid on the same
 * leaves. Chain: SHA-256(chain hash before ‖ leaf hash), from 32 zero bytes. For one thread.
 */
final class Chain {

    private static final byte LEAF = 0x00;

    private final MessageDigest digest = Sha256.digest();

    static byte[] start() {
        return new byte[Sha256.BYTES];
    }

    byte[] leaf(byte[] canonical) {
        digest.update(LEAF);
        return digest.digest(canonical);
    }

    byte[] next(byte[] before, byte[] leaf) {
        digest.update(before);
        return digest.digest(leaf);
    }
}
