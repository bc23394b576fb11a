package io.sallyport.proxy.coding;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes all codings off one content, as it comes. Whoever calls it says how much may come out at a time, so that little content that
 * expands to much waits here coded.
 */
public final class Decoder implements AutoCloseable {

    /** In bytes: what stands between two codings. */
    private static final int BETWEEN = 16 * 1024;

    /** Below this many bytes nobody counts how far content expands. */
    static final long FREE = 16 * 1024 * 1024;

    /** How many bytes may come out for each that came in: DEFLATE makes 1,032 of one at most. */
    static final int EXPANSION = 2_000;

    private final List<Decoding> stages = new ArrayList<>();
    private final List<ByteBuffer> between = new ArrayList<>();
    private long came;
    private long gave;

    /** @param codings at least one */
    public Decoder(Codings codings) {
        for (Codings.Coding coding : codings.toTakeOff()) {
            stages.add(coding.begin());
            between.add(ByteBuffer.allocateDirect(BETWEEN).limit(0));
        }
    }

    /**
     * Goes on with {@code in} until it is used up and all that it tells is out, or until there is no room left. Room that is left says that
     * more must come.
     *
     * @param out direct
     * @throws CodingFault where it is not what its head says, or expands beyond {@value #EXPANSION} times after {@value #FREE} bytes
     */
    public void decode(ByteBuffer in, ByteBuffer out) throws CodingFault {
        int unread = in.remaining();
        int written = out.position();
        decode(0, in, out);
        came += unread - in.remaining();
        gave += out.position() - written;
        if (gave > FREE && gave / EXPANSION > came) {
            throw new CodingFault("the compressed data expands more than " + EXPANSION + " times");
        }
    }

    private void decode(int stage, ByteBuffer in, ByteBuffer out) throws CodingFault {
        if (stage == stages.size() - 1) {
            stages.get(stage).decode(in, out);
            return;
        }
        ByteBuffer mid = between.get(stage);
        while (out.hasRemaining()) {
            if (!mid.hasRemaining()) {
                mid.clear();
                stages.get(stage).decode(in, mid);
                mid.flip();
            }
            boolean more = mid.hasRemaining();
            decode(stage + 1, mid, out);
            if (!more) {
                return;
            }
        }
    }

    /** Whether the content could end here: asked when all that came is out. */
    public boolean whole() {
        return stages.stream().allMatch(Decoding::whole) && between.stream().noneMatch(ByteBuffer::hasRemaining);
    }

    @Override
    public void close() {
        stages.forEach(Decoding::close);
    }
}
