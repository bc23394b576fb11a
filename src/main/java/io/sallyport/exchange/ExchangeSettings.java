package io.sallyport.exchange;

import java.net.URI;

/** @param issuer {@code sallyport.issuer}: the broker's own URL, byte for byte as clients and tokens have it */
public record ExchangeSettings(String issuer) {

    public ExchangeSettings {
        URI uri = URI.create(issuer);
        if (uri.getHost() == null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "sallyport.issuer must be a URL without query and fragment, as in http://localhost:8080: "
                            + issuer);
        }
    }

    /** @param path below the issuer, with its slash */
    String endpoint(String path) {
        return (issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer) + path;
    }
}
