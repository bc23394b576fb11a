package io.sallyport.grant;

/** The keys that sign task tokens, and how a new one takes over. */
public interface SigningKeys {

    /**
     * Makes a new key that signs from now on. The old one's public half stays published as long as a token that it signed can live; its
     * private half is destroyed.
     *
     * @return the new key's {@code kid}
     */
    String rotate();
}
