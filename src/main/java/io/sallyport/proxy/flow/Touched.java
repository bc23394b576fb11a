package io.sallyport.proxy.flow;

/** How far a destination got with a request before it failed, as far as it can be told: whether the request may be made again. */
public enum Touched {

    /** Part of an answer came. */
    ANSWERED,

    /** Not one byte of an answer came, which does not tell whether it acted. */
    PERHAPS,

    /** It said itself that it did nothing (RFC 9113 section 8.7), or it was never asked. */
    NOT
}
