package io.sallyport.http;

/**
 * One header field line (RFC 9110 section 5), as sent.
 *
 * @param name as it came; compared without regard to case
 * @param value without leading and trailing white space
 * @param sensitive true for a credential: never printed, never hashed into {@code request_sha256}, never indexed
 */
public record Field(String name, String value, boolean sensitive) {

    public Field(String name, String value) {
        this(name, value, false);
    }

    public boolean is(String other) {
        return name.equalsIgnoreCase(other);
    }

    @Override
    public String toString() {
        return name + ": " + (sensitive ? "***" : value);
    }
}
