package io.sallyport.proxy.tls;

import java.nio.file.Path;

/** The file of an authority that was brought along can't be used; the message says why, for whoever starts the broker. */
public final class AuthorityUnusable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    AuthorityUnusable(Path file, String problem) {
        super("sallyport.proxy.authority: " + file + " " + problem);
    }
}
