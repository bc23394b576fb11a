package io.sallyport.credential.aws;

import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The fields after the last chunk, and the signature over them: read as they come, and written again with the real key's. */
final class ChunkTrailer {

    private static final String SIGNATURE = "x-amz-trailer-signature:";

    private final ChunkChain theirs;
    private final ChunkChain ours;
    private final Set<String> announced;
    private final Map<String, String> fields = new TreeMap<>();
    private final StringBuilder text = new StringBuilder();
    private boolean signed;
    private boolean over;

    /** @param announced names in lower case */
    ChunkTrailer(ChunkChain theirs, ChunkChain ours, Set<String> announced) {
        this.theirs = theirs;
        this.ours = ours;
        this.announced = new HashSet<>(announced);
    }

    /** @return what is wrong with it; null for nothing */
    @Nullable
    String line(String line) {
        if (signed) {
            over = line.isEmpty();
            text.append("\r\n");
            return over ? null : "a line follows the signature of the trailers";
        }
        if (line.regionMatches(true, 0, SIGNATURE, 0, SIGNATURE.length())) {
            return signature(line.substring(SIGNATURE.length()).strip(), line.substring(0, SIGNATURE.length()));
        }
        int colon = line.indexOf(':');
        String name = colon < 0 ? "" : line.substring(0, colon).toLowerCase(Locale.ROOT);
        if (!announced.contains(name)
                || fields.putIfAbsent(name, line.substring(colon + 1).strip()) != null) {
            return "a trailer is not among those that x-amz-trailer announces, each once";
        }
        text.append(line).append("\r\n");
        return null;
    }

    private @Nullable String signature(String signature, String name) {
        if (!fields.keySet().equals(announced)) {
            return "a trailer that x-amz-trailer announces is missing";
        }
        StringBuilder canonical = new StringBuilder();
        fields.forEach((field, value) ->
                canonical.append(field).append(':').append(value).append('\n'));
        if (signature.length() != theirs.algorithm().chunkSignatureLength()
                || !theirs.verifiesTrailers(canonical.toString(), signature)) {
            return "the trailers' signature is not that of the key that the agent was given";
        }
        text.append(name).append(ours.signTrailers(canonical.toString())).append("\r\n");
        signed = true;
        return null;
    }

    boolean over() {
        return over;
    }

    /** All of it as it leaves, the empty line at its end. */
    String text() {
        return text.toString();
    }
}
