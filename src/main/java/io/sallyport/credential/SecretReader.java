package io.sallyport.credential;

import org.jspecify.annotations.Nullable;

/** Reads a secret from where its document says it is. Blocks: never called on an event loop. */
@FunctionalInterface
interface SecretReader {

    sealed interface Reading {

        /** @param stamp changes when the secret does; equal stamps mean that it need not be read again */
        record Read(SecretValue value, Object stamp) implements Reading {}

        record Unchanged() implements Reading {}

        /** @param cause one sentence's end, as in "is empty": never anything of the secret */
        record Failed(String cause) implements Reading {}
    }

    /** @param known the stamp of what is held; null when nothing is */
    Reading read(CompiledCredential credential, @Nullable Object known);

    /** What bytes from a source are. */
    static Reading accepted(byte[] raw, Injection injection, Object stamp) {
        return switch (SecretValue.accept(raw, injection)) {
            case SecretValue.Accepted.Secret(SecretValue value) -> new Reading.Read(value, stamp);
            case SecretValue.Accepted.Unfit(String reason) -> new Reading.Failed("the secret " + reason);
        };
    }
}
