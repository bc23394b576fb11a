package io.sallyport.credential.injection;

import io.sallyport.credential.aws.Algorithm;
import io.sallyport.credential.aws.ClaimedSignature;
import io.sallyport.credential.aws.Sha256;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Parsed;
import io.sallyport.http.RequestHead;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a signature says of the content. */
sealed interface AwsPayload {

    /** The field in which S3 is told. */
    String FIELD = "x-amz-content-sha256";

    String UNSIGNED = "UNSIGNED-PAYLOAD";

    /** @param word the content's hash, or a word that stands in its place */
    record Said(String word) implements AwsPayload {}

    /** The hash of all of it, which has to be gathered. */
    record Whole() implements AwsPayload {}

    /**
     * Each chunk is signed.
     *
     * @param claimed the agent's signature, from which its chunks go on
     * @param decoded octets of the content without its framing
     * @param trailers that are signed, in lower case; empty for none
     */
    record Chunks(String word, ClaimedSignature claimed, long decoded, Set<String> trailers) implements AwsPayload {}

    record Unfit(String reason) implements AwsPayload {}

    Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    Pattern LENGTH = Pattern.compile("\\d{1,15}");

    /** Each chunk is framed and none is signed; a checksum follows. */
    String UNSIGNED_CHUNKS = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";

    /** @param asked as the agent sent it, its signature in it */
    static AwsPayload of(AwsSignature document, RequestHead asked) {
        boolean empty = asked.framing() instanceof Framing.None
                || (asked.framing() instanceof Framing.Length(long length) && length == 0);
        if (!document.objectStore()) {
            return empty ? new Said(Sha256.OF_NOTHING) : new Whole();
        }
        List<String> said = asked.fields().all(FIELD);
        if (said.isEmpty()) {
            return empty ? new Said(Sha256.OF_NOTHING) : new Whole();
        }
        String word = said.getFirst();
        if (said.size() > 1) {
            return new Unfit("there is more than one " + FIELD);
        }
        if (HASH.matcher(word).matches() || word.equals(UNSIGNED) || word.equals(UNSIGNED_CHUNKS)) {
            return new Said(word);
        }
        for (Algorithm algorithm : Algorithm.values()) {
            if (word.equals(algorithm.streaming()) || word.equals(algorithm.streamingWithTrailer())) {
                return chunks(document, asked.fields(), algorithm, word);
            }
        }
        return new Unfit(
                "the field " + FIELD + " is none that is known; allowed: a SHA-256 in lower-case hex, " + UNSIGNED
                        + ", " + UNSIGNED_CHUNKS + ", " + document.algorithm().streaming() + ", "
                        + document.algorithm().streamingWithTrailer());
    }

    private static AwsPayload chunks(AwsSignature document, Fields asked, Algorithm algorithm, String word) {
        AwsSignature.PlaceholderKey given = document.agentKey();
        if (algorithm != document.algorithm()) {
            return new Unfit("the chunks are signed with " + algorithm.label() + ", and the credential signs with "
                    + document.algorithm().label() + ", whose signatures are of another length; allowed: "
                    + document.algorithm().label() + ", or chunks that are not signed");
        }
        if (given == null) {
            return new Unfit(
                    "the chunks are signed, and the credential names no placeholder to verify them with; allowed: "
                            + UNSIGNED_CHUNKS + ", " + UNSIGNED + ", a SHA-256");
        }
        return switch (claimed(asked)) {
            case Parsed.Malformed<ClaimedSignature>(String reason) -> new Unfit(reason);
            case Parsed.Valid<ClaimedSignature>(ClaimedSignature claimed) ->
                claimed.algorithm() == algorithm && claimed.keyId().equals(given.id())
                        ? chunks(asked, word, claimed, word.equals(algorithm.streamingWithTrailer()))
                        : new Unfit(
                                "the chunks are signed with another key than the placeholder; allowed: the access key "
                                        + given.id());
        };
    }

    private static Parsed<ClaimedSignature> claimed(Fields asked) {
        List<String> signatures = asked.all("Authorization");
        List<String> dates = asked.all("X-Amz-Date");
        return ClaimedSignature.parse(
                signatures.size() == 1 ? signatures.getFirst() : "", dates.size() == 1 ? dates.getFirst() : "");
    }

    private static AwsPayload chunks(Fields asked, String word, ClaimedSignature claimed, boolean withTrailer) {
        List<String> lengths = asked.all("x-amz-decoded-content-length");
        if (lengths.size() != 1 || !LENGTH.matcher(lengths.getFirst()).matches()) {
            return new Unfit("chunks are signed and x-amz-decoded-content-length is not there once, as a number");
        }
        Set<String> trailers = asked.all("x-amz-trailer").stream()
                .flatMap(names -> java.util.Arrays.stream(names.split(",")))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
        if (trailers.isEmpty() == withTrailer) {
            return new Unfit("x-amz-trailer names trailers exactly where " + FIELD + " ends in -TRAILER");
        }
        return new Chunks(word, claimed, Long.parseLong(lengths.getFirst()), trailers);
    }

    /** The fields with what is said of the content in them. */
    static Fields with(Fields fields, String word) {
        return fields.with(new Field(FIELD, word));
    }
}
