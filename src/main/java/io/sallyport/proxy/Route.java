package io.sallyport.proxy;

import io.sallyport.credential.ClientCertificate;
import io.sallyport.net.Cidr;
import io.sallyport.rules.PrivateRoots;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a destination is reached and proven.
 *
 * @param permitted reserved ranges that the destination names
 * @param roots the only ones that its certificate may come from; null for the usual ones
 * @param certificate what the connection proves itself with; null for nothing
 */
public record Route(
        List<Cidr> permitted,
        @Nullable PrivateRoots roots,
        @Nullable ClientCertificate certificate) {

    public Route {
        permitted = List.copyOf(permitted);
    }

    /**
     * What two connections must share to be interchangeable, and two handshakes to resume one another: whoever was verified by other roots,
     * or proved something else, is somebody else (RFC 8446 section 4.6.1 binds neither).
     */
    public String terms() {
        return (roots == null ? "" : roots.id()) + "/" + (certificate == null ? "" : certificate.version());
    }

    /** The id of the private roots in these terms; empty for the usual ones. */
    public static String roots(String terms) {
        return terms.substring(0, terms.indexOf('/'));
    }
}
