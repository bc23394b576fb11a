package io.sallyport.net;

import io.sallyport.http.IpRange;
import io.sallyport.http.Parsed;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** An {@link IpRange} in the terms of those who dial. IPv4-mapped IPv6 addresses are IPv4. */
public record Cidr(IpRange range) {

    /** @return malformed also where bits after the prefix are set */
    public static Parsed<Cidr> parse(String text) {
        return IpRange.parse(text).then(range -> Parsed.valid(new Cidr(range)));
    }

    static Cidr of(String text) {
        return parse(text).orElseThrow();
    }

    /** Never asks a resolver: the bytes are the address. */
    static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("an address has 4 or 16 bytes", e);
        }
    }

    public boolean contains(InetAddress address) {
        return contains(address.getAddress());
    }

    boolean contains(byte[] address) {
        return range.contains(address);
    }

    @Override
    public String toString() {
        return range.toString();
    }
}
