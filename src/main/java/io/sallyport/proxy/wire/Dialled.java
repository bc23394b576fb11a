package io.sallyport.proxy.wire;

/** How a {@link Dial} ended. */
sealed interface Dialled {

    record Http1(Http1Upstream connection) implements Dialled {}

    record Http2(Http2Upstream connection) implements Dialled {}

    record Unread(BlindUpstream connection) implements Dialled {}

    record Failed(Throwable fault) implements Dialled {}

    /** It serves somebody else; one's own is to be dialled. */
    record Taken() implements Dialled {}
}
