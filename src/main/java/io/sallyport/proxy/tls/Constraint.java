package io.sallyport.proxy.tls;

import io.sallyport.http.IpLiteral;
import io.sallyport.http.Parsed;
import java.util.Arrays;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.NameConstraints;

/**
 * What an intermediate may sign for (RFC 5280 section 4.2.1.10). A constraint binds only the forms of names that it mentions, so both
 * forms that a TLS client looks at are mentioned: a name shuts out all addresses, an address all names.
 */
final class Constraint {

    /** A name that nobody can have (RFC 6761 section 6.4): to permit it alone is to permit none. */
    private static final String NO_NAME = "invalid";

    private Constraint() {}

    static NameConstraints of(String host) {
        return switch (IpLiteral.parse(host)) {
            case Parsed.Valid<IpLiteral>(IpLiteral address) -> {
                byte[] exactly = new byte[address.bytes().length];
                Arrays.fill(exactly, (byte) 0xff);
                yield new NameConstraints(
                        new GeneralSubtree[] {subtree(NO_NAME), range(address.bytes(), exactly)}, null);
            }
            case Parsed.Malformed<IpLiteral> ignored ->
                new NameConstraints(
                        new GeneralSubtree[] {subtree(host)},
                        new GeneralSubtree[] {range(new byte[4], new byte[4]), range(new byte[16], new byte[16])});
        };
    }

    static boolean isAddress(String host) {
        return IpLiteral.parse(host) instanceof Parsed.Valid<IpLiteral>;
    }

    /** As it stands in a SAN. */
    static GeneralName name(String host) {
        return new GeneralName(isAddress(host) ? GeneralName.iPAddress : GeneralName.dNSName, host);
    }

    private static GeneralSubtree subtree(String name) {
        return new GeneralSubtree(new GeneralName(GeneralName.dNSName, name));
    }

    private static GeneralSubtree range(byte[] network, byte[] mask) {
        byte[] both = Arrays.copyOf(network, network.length + mask.length);
        System.arraycopy(mask, 0, both, network.length, mask.length);
        return new GeneralSubtree(new GeneralName(GeneralName.iPAddress, new DEROctetString(both)));
    }
}
