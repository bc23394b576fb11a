package io.sallyport.proxy.coding;

/** What came is not of the coding that its head says, or expands beyond all measure. The message says nothing of the content. */
public final class CodingFault extends Exception {

    private static final long serialVersionUID = 1L;

    CodingFault(String message) {
        super(message);
    }
}
