package io.sallyport.grant;

import io.sallyport.http.IpRange;
import java.nio.file.Path;

/**
 * A listener of one grant's own, where what comes in needs no token, and who may connect to it.
 *
 * @param place where it is: {@code HOST:PORT}, or the path of a socket
 */
public record TaskListener(Wanted wanted, String place) {

    /** The highest user id, below the one that means "none". */
    public static final long MOST_UID = 0xffff_fffeL;

    /** What the kernel says of a peer whose user it can't name here: of anybody in a user namespace that it has no map of. */
    public static final long UNNAMED_UID = 65_534;

    /** What is asked for at the exchange. */
    public sealed interface Wanted {}

    /** A TCP port. @param peers the sources that may connect */
    public record Port(IpRange peers) implements Wanted {}

    /** A TCP port for connections that a TPROXY rule leads there. @param peers the sources whose connections may be */
    public record Transparent(IpRange peers) implements Wanted {}

    /** A Unix socket. @param uid of the only user that may connect, 0 to {@link #MOST_UID}, never {@link #UNNAMED_UID} */
    public record Socket(long uid) implements Wanted {

        public Socket {
            if (uid < 0 || uid > MOST_UID || uid == UNNAMED_UID) {
                throw new IllegalArgumentException("no user that a peer can be told by: " + uid);
            }
        }
    }

    public TaskListener {
        if (wanted instanceof Socket && !Path.of(place).isAbsolute()) {
            throw new IllegalArgumentException("the path of a socket is absolute: " + place);
        }
    }
}
