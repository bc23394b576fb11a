package io.sallyport.net;

import io.sallyport.http.IpRange;
import io.sallyport.http.Parsed;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** A range of addresses, as in {@code 10.1.0.0/16} or {@code fd00::/8}; a bare address is a range of one. IPv4-mapped IPv6 addresses are IPv4. */
public record Cidr(InetAddress network, int prefixLength) {

    public Cidr {
        int bits = network.getAddress().length * 8;
        if (prefixLength < 0 || prefixLength > bits) {
            throw new IllegalArgumentException("a prefix length from 0 to " + bits + " is allowed");
        }
    }

    /** @return malformed also where bits after the prefix are set */
    public static Parsed<Cidr> parse(String text) {
        return IpRange.parse(text)
                .then(range -> Parsed.valid(new Cidr(address(range.network().bytes()), range.prefixLength())));
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
        byte[] own = network.getAddress();
        if (address.length != own.length) {
            return false;
        }
        for (int bit = 0, i = 0; bit < prefixLength; bit += 8, i++) {
            int mask = prefixLength - bit >= 8 ? 0xff : 0xff << (8 - (prefixLength - bit)) & 0xff;
            if (((own[i] ^ address[i]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return network.getHostAddress() + "/" + prefixLength;
    }
}
