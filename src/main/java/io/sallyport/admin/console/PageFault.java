package io.sallyport.admin.console;

/** Why there is no page as asked: shown as one, with a status. */
final class PageFault extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String title;

    PageFault(int status, String title, String message) {
        super(message);
        this.status = status;
        this.title = title;
    }

    int status() {
        return status;
    }

    String title() {
        return title;
    }
}
