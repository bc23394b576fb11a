package io.sallyport.net;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that no document reaches by accident: the special-purpose registries (RFC 6890 and its updates), multicast, and the
 * cloud metadata services that live outside them. In IPv6 the list is turned round: whatever is not global unicast (2000::/3) is reserved.
 */
final class ReservedRanges {

    private record Range(Cidr cidr, String name) {
        static Range of(String cidr, String name) {
            return new Range(Cidr.of(cidr), name);
        }

        @Override
        public String toString() {
            return cidr + " (" + name + ")";
        }
    }

    private static final List<Range> IPV4 = List.of(
            Range.of("0.0.0.0/8", "this network"),
            Range.of("10.0.0.0/8", "private"),
            Range.of("100.64.0.0/10", "shared by carriers"),
            Range.of("127.0.0.0/8", "loopback"),
            Range.of("168.63.129.16/32", "Azure platform"),
            Range.of("169.254.0.0/16", "link-local, cloud metadata"),
            Range.of("172.16.0.0/12", "private"),
            Range.of("192.0.0.0/24", "protocol assignments"),
            Range.of("192.0.2.0/24", "documentation"),
            Range.of("192.31.196.0/24", "AS112"),
            Range.of("192.52.193.0/24", "AMT"),
            Range.of("192.88.99.0/24", "6to4 relay"),
            Range.of("192.168.0.0/16", "private"),
            Range.of("192.175.48.0/24", "AS112"),
            Range.of("198.18.0.0/15", "benchmarking"),
            Range.of("198.51.100.0/24", "documentation"),
            Range.of("203.0.113.0/24", "documentation"),
            Range.of("224.0.0.0/4", "multicast"),
            Range.of("240.0.0.0/4", "reserved, broadcast"));

    /** The narrower first, so that the reason is the telling one. */
    private static final List<Range> IPV6 = List.of(
            Range.of("::/128", "unspecified"),
            Range.of("::1/128", "loopback"),
            Range.of("64:ff9b:1::/48", "local NAT64"),
            Range.of("100::/64", "discard"),
            Range.of("fd00:ec2::254/128", "cloud metadata"),
            Range.of("fc00::/7", "unique local"),
            Range.of("fe80::/10", "link-local"),
            Range.of("fec0::/10", "site-local"),
            Range.of("ff00::/8", "multicast"),
            Range.of("2001::/32", "Teredo"),
            Range.of("2001::/23", "protocol assignments"),
            Range.of("2001:db8::/32", "documentation"),
            Range.of("2002::/16", "6to4"),
            Range.of("2620:4f:8000::/48", "AS112"),
            Range.of("3fff::/20", "documentation"));

    private static final Cidr GLOBAL_UNICAST = Cidr.of("2000::/3");
    private static final Cidr NAT64 = Cidr.of("64:ff9b::/96");

    private ReservedRanges() {}

    /** The range that holds an address, as {@code 127.0.0.0/8 (loopback)}; null where it is public. */
    static @Nullable String holding(InetAddress address) {
        byte[] bytes = address.getAddress();
        for (Range range : bytes.length == 4 ? IPV4 : IPV6) {
            if (range.cidr.contains(bytes)) {
                return range.toString();
            }
        }
        return bytes.length == 4 || GLOBAL_UNICAST.contains(bytes)
                ? null
                : "the IPv6 space outside 2000::/3 (reserved)";
    }

    /**
     * The host that dialling reaches: behind a NAT64 prefix (RFC 6052), as DNS64 makes up for every IPv4-only name, it is the embedded IPv4
     * address that must be judged. Other embeddings (6to4, Teredo, local NAT64) are reserved as a whole.
     */
    static InetAddress reached(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 16 && NAT64.contains(bytes) ? Cidr.address(Arrays.copyOfRange(bytes, 12, 16)) : address;
    }
}
