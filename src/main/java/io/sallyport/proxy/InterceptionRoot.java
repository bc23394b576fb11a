package io.sallyport.proxy;

/** What an agent must trust to be intercepted: the root certificate, for whoever publishes it. */
@FunctionalInterface
public interface InterceptionRoot {

    /** The root as PEM. */
    String pem();
}
