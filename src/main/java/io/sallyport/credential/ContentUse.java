package io.sallyport.credential;

/** What a credential has to do with the content of the request that it is on. */
public enum ContentUse {

    /** Nothing. */
    NONE,

    /** It has to see all of it before the head can be sent: to write into it, or to sign it. */
    WHOLE,

    /** It rewrites it piece by piece on its way. */
    STREAM
}
