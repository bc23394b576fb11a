package io.sallyport;

/** The broker will not start like this. The message is one sentence for a person: what, where, and what is allowed. */
final class StartRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StartRefused(String message) {
        super(message);
    }

    StartRefused(String message, Throwable cause) {
        super(message, cause);
    }
}
