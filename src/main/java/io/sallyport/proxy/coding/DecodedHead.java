package io.sallyport.proxy.coding;

import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.ResponseHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What the head of an answer may say when the codings of its content are taken off on the way. */
public final class DecodedHead {

    /**
     * They tell the coded content's length or hash. Some are a product's own; a client that verifies them would take the content for
     * broken.
     */
    private static final Set<String> OF_THE_CODED = Set.of(
            "content-encoding",
            "content-length",
            "content-md5",
            "digest",
            "content-digest",
            "repr-digest",
            "accept-ranges",
            "x-goog-hash",
            "x-ms-blob-content-md5",
            "x-ms-content-crc64");

    private static final String CHECKSUM = "x-amz-checksum-";

    private DecodedHead() {}

    /** @param head of an answer whose content has codings, or would have for another method */
    public static ResponseHead of(ResponseHead head) {
        List<Field> lines = new ArrayList<>(head.fields().size());
        for (Field line : head.fields()) {
            if (line.is("etag")) {
                lines.add(new Field(line.name(), weak(line.value())));
            } else if (!ofTheCoded(line)) {
                lines.add(line);
            }
        }
        if (head.fields().has("accept-ranges")) {
            lines.add(new Field("Accept-Ranges", "none"));
        }
        return new ResponseHead(
                head.status(), head.reason(), Fields.of(lines), delimited(head.framing()), head.http10());
    }

    /**
     * A 304 has no content, so its coding is seldom named. Where what is asked for varies by it, what the agent has may be decoded, and
     * known by the weak form of this validator.
     */
    public static ResponseHead ofNotModified(ResponseHead head) {
        boolean varies = head.fields().lists("vary", "accept-encoding");
        return varies || head.fields().has("content-encoding") ? of(head) : head;
    }

    /** The trailers of an answer whose codings were taken off. */
    public static Fields trailers(Fields trailers) {
        return trailers.without(DecodedHead::ofTheCoded);
    }

    private static boolean ofTheCoded(Field line) {
        String name = line.name().toLowerCase(Locale.ROOT);
        return OF_THE_CODED.contains(name) || name.startsWith(CHECKSUM);
    }

    /** RFC 9110 section 8.8.1: equal bytes are what a strong validator promises. */
    private static String weak(String tag) {
        return tag.startsWith("W/") ? tag : "W/" + tag;
    }

    private static Framing delimited(Framing framing) {
        return switch (framing) {
            case Framing.None none -> none;
            case Framing.Length(long length) when length == 0 -> framing;
            case Framing.Length ignored -> new Framing.Chunked();
            case Framing.Chunked chunked -> chunked;
            case Framing.UntilClose ignored -> new Framing.Chunked();
        };
    }
}
