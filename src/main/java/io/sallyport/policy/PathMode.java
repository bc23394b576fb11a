package io.sallyport.policy;

/** How a scope reads escaped slashes and empty segments: refused, or data inside a segment. */
public enum PathMode {
    STRICT,
    OPAQUE
}
