package io.sallyport.credential.source;

import io.sallyport.grant.Grant;
import org.jspecify.annotations.Nullable;

/**
 * One question to a source.
 *
 * @param credential the document's name, for causes and for what the source is told about who asks
 * @param face a digest of where the credential may go and how it stands there; a written-in secret is sealed together with it
 * @param known the stamp of what is held and still lives; null when nothing is, or when what is held must not be had again
 * @param rejected whether a destination has refused what is held: the source is to give another value, where it can
 * @param grant whom it is for, of a source that is {@link SecretSource.Sharing#PER_GRANT}; null for a shared one and for an operator's
 *     test, which is to ask for as little as is enough to see that it works
 * @param tools what sources may use
 */
public record Fetch(
        String credential,
        String face,
        @Nullable Object known,
        boolean rejected,
        @Nullable Grant grant,
        SourceTools tools) {}
