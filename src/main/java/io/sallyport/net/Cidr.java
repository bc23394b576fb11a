package io.sallyport.net;

import io.sallyport.http.Parsed;
import java.net.InetAddress;

/** A range of addresses, as in {@code 10.1.0.0/16} or {@code fd00::/8}; a bare address is a range of one. IPv4-mapped IPv6 addresses are IPv4. */
public record Cidr(InetAddress network, int prefixLength) {

    public static Parsed<Cidr> parse(String text) {
        throw new IllegalStateException("to be written: " + text);
    }

    public boolean contains(InetAddress address) {
        throw new IllegalStateException("to be written: " + address);
    }
}
