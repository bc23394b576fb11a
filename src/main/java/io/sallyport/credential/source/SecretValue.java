package io.sallyport.credential.source;

import java.util.Arrays;

/**
 * A secret's bytes. Whether they fit the place where they are to stand is judged there. It has no text form, and is zeroed when closed.
 */
public final class SecretValue implements AutoCloseable {

    /** In bytes; more than that is refused where it is to be used, so no more of it need be read than {@link #READ_AT_MOST}. */
    public static final int LONGEST = 16 * 1024;

    /** One byte and a line end more than a secret may have, so that one that is too long is seen to be. */
    public static final int READ_AT_MOST = LONGEST + 3;

    private final byte[] bytes;

    private SecretValue(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Takes the bytes over and zeroes them. One line end at the end, as editors leave it, is not part of the secret. */
    public static SecretValue of(byte[] raw) {
        SecretValue value = new SecretValue(Arrays.copyOf(raw, withoutLineEnd(raw)));
        Arrays.fill(raw, (byte) 0);
        return value;
    }

    private static int withoutLineEnd(byte[] raw) {
        int length = raw.length;
        if (length > 0 && raw[length - 1] == '\n') {
            length--;
            if (length > 0 && raw[length - 1] == '\r') {
                length--;
            }
        }
        return length;
    }

    /** Not a copy: whoever writes it somewhere answers for that place. */
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public void close() {
        Arrays.fill(bytes, (byte) 0);
    }

    @Override
    public String toString() {
        return "SecretValue[***]";
    }
}
