package io.sallyport.credential;

/** How far the damage of a leaked or misused credential reaches. */
public enum BlastRadius {
    LOW,
    MEDIUM,
    HIGH
}
