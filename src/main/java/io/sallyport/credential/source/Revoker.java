package io.sallyport.credential.source;

/** Gives one fetched secret back at its source: a lease revoked, a token deleted. */
@FunctionalInterface
public interface Revoker {

    /**
     * Blocks, at most as long as a fetch may; called again after a while where it fails.
     *
     * @throws SourceFault of kind {@link SourceFault.Kind#MISSING} when the source knows it no more, which is as good as done
     */
    void revoke(SourceTools tools) throws SourceFault, InterruptedException;
}
