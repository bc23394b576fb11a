package io.sallyport.credential;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A secret. Its bytes are printable ASCII on one line, so that it can stand in a field and be recognised in an answer; those of a client's
 * certificate are PEM. It has no text form, and is zeroed when closed.
 */
final class SecretValue implements AutoCloseable {

    static final int SHORTEST = 8;
    static final int LONGEST = 16 * 1024;

    private final byte[] bytes;

    private SecretValue(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A secret, or why these bytes are none. */
    sealed interface Accepted {
        record Secret(SecretValue value) implements Accepted {}

        /** @param reason says nothing of the bytes but what kind of thing is wrong with them */
        record Unfit(String reason) implements Accepted {}
    }

    /** Takes the bytes over and zeroes them. One line end at the end, as editors leave it, is not part of the secret. */
    static Accepted accept(byte[] raw, Injection injection) {
        try {
            int length = withoutLineEnd(raw);
            String problem = injection instanceof Injection.ClientCertificate
                    ? certificateProblem(raw, length)
                    : problem(raw, length);
            return problem == null
                    ? new Accepted.Secret(new SecretValue(Arrays.copyOf(raw, length)))
                    : new Accepted.Unfit(problem);
        } finally {
            Arrays.fill(raw, (byte) 0);
        }
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

    private static @Nullable String certificateProblem(byte[] raw, int length) {
        if (length > LONGEST) {
            return "is longer than 16 KiB";
        }
        byte[] text = Arrays.copyOf(raw, length);
        try {
            return CertificateText.problem(text);
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }

    private static @Nullable String problem(byte[] raw, int length) {
        if (length == 0) {
            return "is empty";
        }
        if (length > LONGEST) {
            return "is longer than 16 KiB";
        }
        for (int i = 0; i < length; i++) {
            // A line end inside would end the field and begin another one of the secret's choosing.
            if (raw[i] < ' ' || raw[i] > '~') {
                return "has a line end, a control character or one beyond ASCII; printable ASCII on one line is allowed";
            }
        }
        if (raw[0] == ' ' || raw[length - 1] == ' ') {
            return "begins or ends with a space";
        }
        // Whatever is shorter turns up by chance in good data, and masking it there would destroy the data.
        return length < SHORTEST ? "is shorter than " + SHORTEST + " bytes" : null;
    }

    /** Not a copy: whoever writes it somewhere answers for that place. */
    byte[] bytes() {
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
