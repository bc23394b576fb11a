package io.sallyport.identity;

import java.net.URI;

/** Where an issuer's public keys come from. */
public sealed interface KeyOrigin {

    /** @param jwks the content of a file (RFC 7517 section 5), read when the document was compiled; public keys alone */
    record Fixed(String jwks) implements KeyOrigin {}

    /** From {@code jwks_uri} of the issuer's own {@code /.well-known/openid-configuration}. */
    record Discovered() implements KeyOrigin {}

    /** @param uri named by the document */
    record At(URI uri) implements KeyOrigin {}
}
