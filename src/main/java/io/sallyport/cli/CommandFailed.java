package io.sallyport.cli;

/** A command can't do what it was asked for; the message is all that a person needs, and is shown without a trace. */
public final class CommandFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CommandFailed(String message) {
        super(message);
    }

    public CommandFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
