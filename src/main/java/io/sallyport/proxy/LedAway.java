package io.sallyport.proxy;

/** Why a connection was closed on at a transparent listener before anything of it was read. */
public enum LedAway {
    /** It came to the listener itself: nobody led it here. */
    DIRECT,
    /** The listener is not for its source address. */
    SOURCE,
    /** No live grant is bound to its source address. */
    NO_GRANT,
    /** More than one live grant is: it could be any, so it is none. */
    SEVERAL_GRANTS
}
