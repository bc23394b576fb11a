package io.sallyport.credential.aws;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a signed chunk begins.
 *
 * @param digits its size as it was written
 * @param signature with its padding
 */
record ChunkHead(String digits, int size, String signature) {

    private static final String EXTENSION = ";chunk-signature=";

    // Seven digits are well beyond the longest chunk; no sign, no second extension, no white space.
    private static final Pattern FORM =
            Pattern.compile("(0|[1-9a-fA-F][0-9a-fA-F]{0,6})" + EXTENSION + "([0-9a-f]{64,144}\\**)");

    /** Null for what is none. */
    static @Nullable ChunkHead parse(String line, Algorithm algorithm) {
        Matcher form = FORM.matcher(line);
        return form.matches() && form.group(2).length() == algorithm.chunkSignatureLength()
                ? new ChunkHead(form.group(1), Integer.parseInt(form.group(1), 16), form.group(2))
                : null;
    }

    /** The same line with another signature. */
    String signed(String otherSignature) {
        return digits + EXTENSION + otherSignature + "\r\n";
    }
}
