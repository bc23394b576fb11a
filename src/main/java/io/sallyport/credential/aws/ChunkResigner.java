package io.sallyport.credential.aws;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An upload in signed chunks ({@code aws-chunked}) on its way: each chunk is held until it is whole and its signature has been verified
 * with the key that the agent signs with, and leaves with one of the real key. Sizes and framing stay as they are, and so does the length
 * of the content. Not for several threads.
 */
public final class ChunkResigner implements AutoCloseable {

    /** Octets of one chunk: it has to be held whole, because its signature stands before it. */
    static final int LONGEST_CHUNK = 1 << 20;

    /** S3's own bound for all but the last: each costs a signature. */
    static final int SHORTEST_CHUNK = 8 << 10;

    private enum Stage {
        HEAD,
        DATA,
        AFTER_DATA,
        TRAILER,
        OVER
    }

    private final ChunkChain theirs;
    private final ChunkChain ours;
    private final @Nullable ChunkTrailer trailer;
    private final Line line = new Line();
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private ByteArrayOutputStream out = new ByteArrayOutputStream();
    private Stage stage = Stage.HEAD;
    private @Nullable ChunkHead head;
    private long missing;
    private boolean shortOne;

    /**
     * @param theirs goes on from the agent's signature of the head
     * @param ours goes on from the one that is sent
     * @param decoded octets of the content without its framing, as {@code x-amz-decoded-content-length} has it
     * @param trailers names, in lower case, that {@code x-amz-trailer} announces; empty where trailers are not signed
     */
    public ChunkResigner(ChunkChain theirs, ChunkChain ours, long decoded, Set<String> trailers) {
        this.theirs = theirs;
        this.ours = ours;
        this.missing = decoded;
        this.trailer = trailers.isEmpty() ? null : new ChunkTrailer(theirs, ours, trailers);
    }

    /** Takes all of a piece. After a refusal it is not asked again. */
    public Resigned accept(ByteBuffer piece) {
        while (piece.hasRemaining()) {
            String problem = step(piece);
            if (problem != null) {
                return new Resigned.Refused(problem);
            }
        }
        ByteBuffer leaving = ByteBuffer.wrap(out.toByteArray());
        out = new ByteArrayOutputStream();
        return new Resigned.Piece(leaving);
    }

    /** Why the content may not end here; null where it is whole. */
    public @Nullable String end() {
        return stage == Stage.OVER ? null : "the content ends inside a chunk or before the last one";
    }

    private @Nullable String step(ByteBuffer piece) {
        return switch (stage) {
            case HEAD -> line.read(piece) ? head(line.take()) : line.problem();
            case DATA -> data(piece);
            case AFTER_DATA -> line.read(piece) ? afterData(line.take()) : line.problem();
            case TRAILER -> line.read(piece) ? trailer(line.take()) : line.problem();
            case OVER -> "the content goes on after its last chunk";
        };
    }

    private @Nullable String head(String text) {
        ChunkHead next = ChunkHead.parse(text, theirs.algorithm());
        if (next == null) {
            return "a chunk does not begin with its size in hex and ;chunk-signature= with "
                    + theirs.algorithm().chunkSignatureLength() + " characters";
        }
        if (next.size() > LONGEST_CHUNK) {
            return "a chunk is longer than " + LONGEST_CHUNK
                    + " octets, at which each has to be held for its signature";
        }
        if (next.size() > missing) {
            return "the chunks are longer than x-amz-decoded-content-length says";
        }
        if (next.size() > 0 && shortOne) {
            return "a chunk before the last one is shorter than " + SHORTEST_CHUNK + " octets";
        }
        head = next;
        shortOne = next.size() < SHORTEST_CHUNK;
        missing -= next.size();
        stage = Stage.DATA;
        return next.size() == 0 ? last(next) : null;
    }

    private @Nullable String last(ChunkHead empty) {
        if (missing > 0) {
            return "the chunks are shorter than x-amz-decoded-content-length says";
        }
        String problem = resign(empty);
        stage = trailer == null ? Stage.AFTER_DATA : Stage.TRAILER;
        return problem;
    }

    private @Nullable String data(ByteBuffer piece) {
        ChunkHead current = current();
        int taken = Math.min(piece.remaining(), current.size() - data.size());
        byte[] bytes = new byte[taken];
        piece.get(bytes);
        data.writeBytes(bytes);
        if (data.size() < current.size()) {
            return null;
        }
        stage = Stage.AFTER_DATA;
        return resign(current);
    }

    private @Nullable String resign(ChunkHead current) {
        byte[] chunk = data.toByteArray();
        data.reset();
        if (!theirs.verifies(chunk, current.signature())) {
            return "a chunk's signature is not that of the key that the agent was given, over this chunk after the one before";
        }
        write(current.signed(ours.sign(chunk)));
        out.writeBytes(chunk);
        return null;
    }

    private @Nullable String afterData(String text) {
        if (!text.isEmpty()) {
            return "a chunk does not end where its size says";
        }
        write("\r\n");
        stage = current().size() == 0 ? Stage.OVER : Stage.HEAD;
        return null;
    }

    private @Nullable String trailer(String text) {
        ChunkTrailer expected = Objects.requireNonNull(trailer);
        String problem = expected.line(text);
        if (problem == null && expected.over()) {
            write(expected.text());
            stage = Stage.OVER;
        }
        return problem;
    }

    private ChunkHead current() {
        return Objects.requireNonNull(head, "no chunk has begun");
    }

    private void write(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() {
        theirs.close();
        ours.close();
    }

    /** One line, ended by CR LF and by nothing else. */
    private static final class Line {

        private static final int LONGEST = 1024;

        private final StringBuilder text = new StringBuilder();
        private @Nullable String problem;

        /** @return whether it is whole; what follows stays in the piece */
        boolean read(ByteBuffer piece) {
            while (piece.hasRemaining() && problem == null) {
                int c = piece.get() & 0xff;
                boolean afterReturn = !text.isEmpty() && text.charAt(text.length() - 1) == '\r';
                if (c == '\n' && afterReturn) {
                    text.setLength(text.length() - 1);
                    return true;
                }
                if (afterReturn || c == '\n' || (c < ' ' && c != '\r') || c > '~') {
                    problem = "a line of the chunks' framing has a character that does not belong there";
                } else if (text.length() == LONGEST) {
                    problem = "a line of the chunks' framing is longer than " + LONGEST;
                }
                text.append((char) c);
            }
            return false;
        }

        @Nullable
        String problem() {
            return problem;
        }

        String take() {
            String whole = text.toString();
            text.setLength(0);
            return whole;
        }
    }
}
