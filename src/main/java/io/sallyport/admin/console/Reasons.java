package io.sallyport.admin.console;

/** A reason as the ledger wants it: given. */
final class Reasons {

    private static final int LONGEST = 1000;

    private Reasons() {}

    static void check(String reason) {
        if (reason.isBlank() || reason.length() > LONGEST) {
            throw new PageFault(400, "A reason is needed", "It is kept in the ledger: 1 to 1000 characters.");
        }
    }
}
