package io.sallyport.testing;

/** An agent behind a {@link Door}, on one connection: asks one thing after the other. */
public interface Caller extends AutoCloseable {

    Reply ask(Ask ask);

    /** Says it all, and is gone before it is answered. */
    void leave(Ask ask);

    @Override
    void close();
}
