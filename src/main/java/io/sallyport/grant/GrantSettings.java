package io.sallyport.grant;

/** @param issuer of task tokens, and their audience: {@code sallyport.issuer} */
public record GrantSettings(String issuer) {

    public GrantSettings {
        if (issuer.isBlank()) {
            throw new IllegalArgumentException(
                    "sallyport.issuer must be the broker's own URL, as in http://localhost:8080");
        }
    }
}
