package io.sallyport.revocation;

/** @param node this broker's name, as receipts give it */
public record RevocationSettings(String node) {

    public RevocationSettings {
        if (node.isBlank()) {
            throw new IllegalArgumentException("a node has a name");
        }
    }
}
