package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;

/** The masking of RFC 6455 section 5.3: each byte of a payload is combined with one of four of a key, in turn. */
final class Mask {

    private Mask() {}

    /** Masks, or unmasks, everything from {@code index} on in place. @param from where in the payload that stands */
    static void apply(ByteBuf buffer, int index, int key, long from) {
        int turned = Integer.rotateLeft(key, (int) (from & 3) * 8);
        long wide = (long) turned << 32 | turned & 0xffffffffL;
        int at = index;
        int end = buffer.writerIndex();
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            buffer.setLong(at, buffer.getLong(at) ^ wide);
        }
        for (int i = 0; at < end; at++, i++) {
            buffer.setByte(at, buffer.getByte(at) ^ turned >>> 24 - 8 * (i & 3));
        }
    }
}
