package io.sallyport.store;

/** The store can't do its work: disk full, file gone, locked, sealed with another key. Whoever meets it refuses. */
public final class StoreFault extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StoreFault(String message) {
        super(message);
    }

    public StoreFault(String message, Throwable cause) {
        super(message, cause);
    }
}
