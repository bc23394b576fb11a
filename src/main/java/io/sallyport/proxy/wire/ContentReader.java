package io.sallyport.proxy.wire;

import io.netty.buffer.ByteBuf;
import io.sallyport.http.Field;
import io.sallyport.http.FieldSyntax;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Parsed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes the content out of its framing (RFC 9112 sections 6 and 7), piece by piece as it arrives. */
final class ContentReader {

    private static final int LINE_LIMIT = 4 * 1024;
    private static final int TRAILER_LIMIT = 64 * 1024;

    private enum Expecting {
        DATA,
        CHUNK_SIZE,
        CHUNK_END,
        TRAILER,
        NOTHING,
        CLOSE
    }

    private final boolean chunked;
    private final List<Field> trailers = new ArrayList<>();
    private Expecting expecting;
    private long left;
    private int trailerBytes;
    private @Nullable String problem;

    ContentReader(Framing framing) {
        chunked = framing instanceof Framing.Chunked;
        expecting = switch (framing) {
            case Framing.None ignored -> Expecting.NOTHING;
            case Framing.Length(long length) -> {
                left = length;
                yield length == 0 ? Expecting.NOTHING : Expecting.DATA;
            }
            case Framing.Chunked ignored -> Expecting.CHUNK_SIZE;
            case Framing.UntilClose ignored -> Expecting.CLOSE;
        };
    }

    boolean ended() {
        return expecting == Expecting.NOTHING;
    }

    /** Whether the end of the connection is the end of the content. */
    boolean endsWithConnection() {
        return expecting == Expecting.CLOSE;
    }

    /** Why nothing more can be read; null while it can. */
    @Nullable
    String problem() {
        return problem;
    }

    /** Complete once {@link #ended}. */
    Fields trailers() {
        return Fields.of(trailers);
    }

    /** The next piece of content, which the caller releases; null when more must arrive, the content ended or is malformed. */
    @Nullable
    ByteBuf next(ByteBuf in) {
        while (problem == null && in.isReadable()) {
            switch (expecting) {
                case NOTHING -> {
                    return null;
                }
                case CLOSE -> {
                    return in.readRetainedSlice(in.readableBytes());
                }
                case DATA -> {
                    return data(in);
                }
                case CHUNK_SIZE, CHUNK_END, TRAILER -> {
                    String line = line(in);
                    if (line == null) {
                        return null;
                    }
                    take(line);
                }
            }
        }
        return null;
    }

    private ByteBuf data(ByteBuf in) {
        int length = (int) Math.min(left, in.readableBytes());
        left -= length;
        if (left == 0) {
            expecting = chunked ? Expecting.CHUNK_END : Expecting.NOTHING;
        }
        return in.readRetainedSlice(length);
    }

    private void take(String line) {
        switch (expecting) {
            case CHUNK_SIZE -> size(line);
            case CHUNK_END -> {
                if (line.isEmpty()) {
                    expecting = Expecting.CHUNK_SIZE;
                } else {
                    problem = "a chunk is longer than its size says";
                }
            }
            case TRAILER -> trailer(line);
            case DATA, NOTHING, CLOSE -> throw new IllegalStateException("no line is expected: " + expecting);
        }
    }

    /** RFC 9112 section 7.1: hexadecimal digits, then perhaps extensions, which mean nothing beyond one hop. */
    private void size(String line) {
        int end = line.indexOf(';');
        String digits = end < 0 ? line : line.substring(0, end);
        boolean plain = !digits.isEmpty() && digits.length() <= 15;
        for (int i = 0; plain && i < digits.length(); i++) {
            plain = digits.charAt(i) < 128 && Character.digit(digits.charAt(i), 16) >= 0;
        }
        if (!plain) {
            problem = "a chunk size is not a hexadecimal number";
            return;
        }
        left = Long.parseLong(digits, 16);
        expecting = left == 0 ? Expecting.TRAILER : Expecting.DATA;
    }

    private void trailer(String line) {
        if (line.isEmpty()) {
            expecting = Expecting.NOTHING;
            return;
        }
        trailerBytes += line.length();
        switch (FieldSyntax.parseLine(line)) {
            case Parsed.Valid<Field>(Field field) -> trailers.add(field);
            case Parsed.Malformed<Field>(String reason) -> problem = reason;
        }
        if (trailerBytes > TRAILER_LIMIT || trailers.size() > FieldSyntax.MAX_LINES) {
            problem = "the trailers are too large";
        }
    }

    private @Nullable String line(ByteBuf in) {
        int feed = in.indexOf(in.readerIndex(), in.writerIndex(), (byte) '\n');
        int length = feed < 0 ? in.readableBytes() : feed - in.readerIndex();
        if (length > LINE_LIMIT) {
            problem = "a line of the chunked coding is too long";
            return null;
        }
        if (feed < 0) {
            return null;
        }
        String line = in.toString(in.readerIndex(), length, StandardCharsets.ISO_8859_1);
        in.skipBytes(length + 1);
        if (!line.endsWith("\r") || line.indexOf('\r') != length - 1) {
            problem = "a line of the chunked coding does not end with CR LF";
            return null;
        }
        return line.substring(0, length - 1);
    }
}
