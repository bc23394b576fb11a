package io.sallyport.identity;

import com.nimbusds.jose.jwk.JWK;
import java.util.List;
import java.util.function.Predicate;

/** The public keys of one issuer. */
interface KeySource {

    /** Those that fit, asking the issuer anew if none does and it may be asked. */
    Answer find(Predicate<JWK> fits);

    sealed interface Answer {
        /** @param keys empty when the issuer has none that fits */
        record Keys(List<JWK> keys) implements Answer {}

        record Unavailable(String cause) implements Answer {}
    }
}
