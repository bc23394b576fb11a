package io.sallyport.credential.source;

import io.sallyport.document.Keys;
import java.util.Optional;
import java.util.function.Function;

/**
 * A kind of source, as documents name it. Listed in {@link SourceKinds}.
 *
 * @param name {@code source.kind} in a document
 * @param reading of the {@code source} mapping, {@code kind} already read. Pure: it reads no secret and calls nobody. Empty where a problem
 *     has been noted on the keys
 */
public record SourceKind(String name, Function<Keys, Optional<? extends SecretSource>> reading) {}
