package io.sallyport.identity;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import java.text.ParseException;
import java.util.List;
import java.util.function.Predicate;

/** Keys that a document brings along; they change with a reload alone. */
final class FixedKeys implements KeySource {

    private final List<JWK> keys;

    FixedKeys(KeyOrigin.Fixed origin) {
        try {
            keys = JWKSet.parse(origin.jwks()).toPublicJWKSet().getKeys();
        } catch (ParseException notCompiled) {
            throw new IllegalArgumentException("not a JSON Web Key Set", notCompiled);
        }
    }

    @Override
    public Answer find(Predicate<JWK> fits) {
        return new Answer.Keys(keys.stream().filter(fits).toList());
    }
}
