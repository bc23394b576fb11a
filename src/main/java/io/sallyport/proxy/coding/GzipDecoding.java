package io.sallyport.proxy.coding;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** gzip (RFC 1952): one member or several, each with its checksum and length verified. Nothing may stand behind them. */
final class GzipDecoding implements Decoding {

    private static final int TRAILER = 8;
    private static final int CHECKSUM = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;

    private enum At {
        FIXED,
        EXTRA_LENGTH,
        EXTRA_FIELD,
        FILE_NAME,
        REMARK,
        HEAD_CHECKSUM,
        DATA,
        END
    }

    private final Inflation inflation = new Inflation(true);
    private final CRC32 crc = new CRC32();
    private At at = At.FIXED;
    private int flags;
    /** Bytes of this part that came. */
    private int part;

    private int skip;
    private long length;
    private long trailer;

    @Override
    public void decode(ByteBuffer in, ByteBuffer out) throws CodingFault {
        while (at == At.DATA || in.hasRemaining()) {
            if (at != At.DATA) {
                frame(in.get() & 0xff);
            } else if (!data(in, out)) {
                return;
            }
        }
    }

    /** @return whether the member's data has ended */
    private boolean data(ByteBuffer in, ByteBuffer out) throws CodingFault {
        int start = out.position();
        boolean ended = inflation.decode(in, out);
        length += out.position() - start;
        crc.update(out.duplicate().position(start).limit(out.position()));
        if (ended) {
            go(At.END);
        }
        return ended;
    }

    private void frame(int b) throws CodingFault {
        part++;
        switch (at) {
            case FIXED -> fixed(b);
            case EXTRA_LENGTH -> {
                skip |= b << 8 * (part - 1);
                if (part == 2) {
                    go(skip == 0 ? after(At.EXTRA_FIELD) : At.EXTRA_FIELD);
                }
            }
            case EXTRA_FIELD -> {
                if (part == skip) {
                    go(after(At.EXTRA_FIELD));
                }
            }
            case FILE_NAME, REMARK -> {
                if (b == 0) {
                    go(after(at));
                }
            }
            case HEAD_CHECKSUM -> {
                if (part == 2) {
                    go(At.DATA);
                }
            }
            case END -> end(b);
            case DATA -> throw new IllegalStateException("data is no frame");
        }
    }

    private void fixed(int b) throws CodingFault {
        boolean wrong = (part == 1 && b != 0x1f) || (part == 2 && b != 0x8b) || (part == 3 && b != 8);
        if (part == 4) {
            flags = b;
            wrong = (b & 0xe0) != 0;
        }
        if (wrong) {
            throw new CodingFault("it is no gzip");
        }
        if (part == 10) {
            skip = 0;
            go(after(At.FIXED));
        }
    }

    private At after(At done) {
        if (done == At.FIXED && (flags & EXTRA) != 0) {
            return At.EXTRA_LENGTH;
        }
        if (done.compareTo(At.FILE_NAME) < 0 && (flags & NAME) != 0) {
            return At.FILE_NAME;
        }
        if (done.compareTo(At.REMARK) < 0 && (flags & COMMENT) != 0) {
            return At.REMARK;
        }
        return (flags & CHECKSUM) != 0 ? At.HEAD_CHECKSUM : At.DATA;
    }

    private void end(int b) throws CodingFault {
        trailer |= (long) b << 8 * (part - 1);
        if (part < TRAILER) {
            return;
        }
        if ((trailer & 0xffffffffL) != crc.getValue() || trailer >>> 32 != (length & 0xffffffffL)) {
            throw new CodingFault("the checksum or the length of the compressed data is wrong");
        }
        trailer = 0;
        length = 0;
        crc.reset();
        inflation.reset();
        go(At.FIXED);
    }

    private void go(At next) {
        at = next;
        part = 0;
    }

    @Override
    public boolean whole() {
        return at == At.FIXED && part == 0;
    }

    @Override
    public void close() {
        inflation.close();
    }
}
