package io.sallyport.proxy;

import io.sallyport.grant.Grant;
import io.sallyport.grant.TaskListener;
import java.io.IOException;
import java.nio.file.Path;

/** Opens the sockets of tasks' listeners. Whose they are and how long they are open, others decide. */
public interface ListenerSockets {

    /** One that is open. */
    interface Open {

        /** The port that is bound; 0 for a Unix socket. */
        int port();

        /** Closes it and every connection that came in by it, without waiting. Idempotent. */
        void close();
    }

    /** Whether the sockets here can tell who is at the other end of a Unix socket. */
    boolean knowsUsers();

    /** @param port 0 for what the system gives @throws IOException when it is taken */
    Open port(Grant grant, TaskListener.Port wanted, int port) throws IOException;

    /** @throws IOException when the port is taken, or the process may not take connections of other addresses */
    Open transparent(Grant grant, TaskListener.Transparent wanted, int port) throws IOException;

    Open unix(Grant grant, TaskListener.Socket wanted, Path file) throws IOException;
}
