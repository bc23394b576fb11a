package io.sallyport.store;

/**
 * A service that holds a key which never leaves it, and wraps the database's own key with that: what rests beside the database is then of no
 * use without the service. Asked at start alone; what runs has the key in memory.
 */
public interface KeyKeeper {

    /** In {@code sallyport.key}, before the colon. */
    String kind();

    /**
     * A new key for a database, and the same wrapped.
     *
     * @param key the service's own, as {@code sallyport.key} names it
     * @throws StoreFault in words for whoever starts the broker, without anything of the key
     */
    Made make(String key);

    /** @throws StoreFault as {@link #make}; also for what was wrapped by another key or for another purpose */
    byte[] open(String key, byte[] wrapped);

    /** @param plain 32 bytes; zeroed by whoever takes it */
    record Made(byte[] plain, byte[] wrapped) {

        @Override
        public String toString() {
            return "Made[***]";
        }
    }
}
