package io.sallyport.credential.source;

/**
 * Why a source gives nothing. Its message is one sentence's end, as in {@code "the environment has no SALLYPORT_SECRET_A"}: it goes to the
 * ledger, the log and operators, so it holds nothing of a secret and nothing that the source answered word for word.
 */
public final class SourceFault extends Exception {

    private static final long serialVersionUID = 1;

    /** What is to be done about it decides what kind it is. */
    public enum Kind {
        /** The source answers, and has no such secret: somebody has to write it there. */
        MISSING,
        /** The source answers, and does not give it to this broker: somebody has to allow it. */
        DENIED,
        /** The source can't be asked, or not at this moment: what is held is good for as long as it lives. */
        DOWN,
        /** The source gave something that can't be what the document says. */
        BAD
    }

    private final Kind kind;

    private SourceFault(Kind kind, String cause) {
        super(cause, null, false, false);
        this.kind = kind;
    }

    public static SourceFault missing(String cause) {
        return new SourceFault(Kind.MISSING, cause);
    }

    public static SourceFault denied(String cause) {
        return new SourceFault(Kind.DENIED, cause);
    }

    public static SourceFault down(String cause) {
        return new SourceFault(Kind.DOWN, cause);
    }

    public static SourceFault bad(String cause) {
        return new SourceFault(Kind.BAD, cause);
    }

    /** The same of something that the source itself needs first: its key in the document stands before the cause. */
    SourceFault about(String key) {
        return new SourceFault(kind, "its " + key + ": " + cause());
    }

    public Kind kind() {
        return kind;
    }

    /** The sentence's end. */
    public String cause() {
        return String.valueOf(getMessage());
    }
}
