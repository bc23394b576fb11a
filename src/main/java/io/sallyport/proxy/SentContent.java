package io.sallyport.proxy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;

/**
 * What left in place of an agent's content, as far as the record may say: HMAC-SHA256 under a key of the broker's. A plain hash would let
 * whoever reads the ledger, and knows the rest of the content, try out secrets. For the flow's own thread.
 */
public final class SentContent {

    private final Mac mac;
    private boolean begun;
    private boolean ended;

    SentContent(Mac mac) {
        this.mac = mac;
    }

    /** @param bytes that are being sent now; left as they are */
    public void left(ByteBuffer[] bytes, boolean last) {
        begun = true;
        for (ByteBuffer part : bytes) {
            mac.update(part.duplicate());
        }
        ended |= last;
    }

    /** Whether any of it left. */
    public boolean begun() {
        return begun;
    }

    /** Lower-case hexadecimal; empty where it did not leave whole. To be asked once. */
    Optional<String> hmac() {
        return ended ? Optional.of(HexFormat.of().formatHex(mac.doFinal())) : Optional.empty();
    }
}
