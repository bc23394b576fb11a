package io.sallyport.credential.injection;

import java.time.Clock;

/** One version of a secret, made ready to be put on many requests at once. Thread-safe; holds only what it needs of the secret. */
public interface Injector extends AutoCloseable {

    /** For one request. @param clock the wall's: what is dated is dated by the broker, never by the agent */
    Placement placement(Clock clock);

    /** Zeroes what it holds. Placements that run throw from then on, or put what is not zeroed yet: their leases are closed before. */
    @Override
    void close();
}
