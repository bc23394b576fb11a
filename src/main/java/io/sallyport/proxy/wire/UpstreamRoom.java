package io.sallyport.proxy.wire;

/** How many requests one HTTP/2 connection to a destination takes, and how many it has. */
final class UpstreamRoom {

    /** However many the destination takes. */
    private static final int STREAMS_AT_MOST = 1_000;

    private int most;
    private int open;
    private int lastTouched = Integer.MAX_VALUE;
    private boolean sockets;
    private boolean closed;

    /** @param atFirst how many it is thought to take before it says so */
    UpstreamRoom(int atFirst) {
        most = atFirst;
    }

    /**
     * What the destination has announced.
     *
     * @param sockets whether it takes WebSockets (RFC 8441 section 3); once said, it stays so
     * @return how many requests it takes
     */
    int settled(int streams, boolean takesSockets) {
        most = Math.min(streams, STREAMS_AT_MOST);
        sockets |= takesSockets;
        return most;
    }

    boolean forAnother() {
        return !closed && open < most;
    }

    boolean forSocket() {
        return sockets && forAnother();
    }

    void entered() {
        open++;
    }

    void left() {
        open--;
    }

    boolean used() {
        return open > 0;
    }

    /** No more come in. */
    void close() {
        closed = true;
    }

    boolean closed() {
        return closed;
    }

    /** The destination takes no more. @param last stream that it may have acted upon */
    void closedBehind(int last) {
        closed = true;
        lastTouched = last;
    }

    /** Whether the destination has said that it does nothing about this stream. */
    boolean beyond(int stream) {
        return stream > lastTouched;
    }
}
