package io.sallyport.policy;

/** What a request may switch its connection to (RFC 9110 section 7.8). Anything else would leave the hop blind, and is never passed on. */
public enum Upgrade {
    /** RFC 6455. */
    WEBSOCKET
}
