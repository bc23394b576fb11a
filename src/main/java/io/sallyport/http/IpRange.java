package io.sallyport.http;

/**
 * A range of addresses as documents write it: {@code 10.1.0.0/16}, {@code fd00::/8}; a bare address is a range of one.
 *
 * @param prefixLength 0 to 32, or to 128
 */
public record IpRange(IpLiteral network, int prefixLength) {

    public IpRange {
        if (prefixLength < 0 || prefixLength > network.bits()) {
            throw new IllegalArgumentException("a prefix length from 0 to " + network.bits() + " is allowed");
        }
    }

    /** @return malformed also where bits after the prefix are set: which range was meant is then a guess */
    public static Parsed<IpRange> parse(String text) {
        int slash = text.indexOf('/');
        return IpLiteral.parse(slash < 0 ? text : text.substring(0, slash)).then(address -> {
            if (slash < 0) {
                return Parsed.valid(new IpRange(address, address.bits()));
            }
            int prefix = Ascii.number(text, slash + 1, text.length(), address.bits());
            if (prefix < 0) {
                return Parsed.malformed("the prefix length of '" + text + "' must be 0 to " + address.bits());
            }
            IpRange range = new IpRange(address, prefix);
            return range.hasStrayBits()
                    ? Parsed.malformed("'" + text + "' has bits set after its prefix; a network address is allowed")
                    : Parsed.valid(range);
        });
    }

    /** @param address 4 or 16 bytes in network order */
    public boolean contains(byte[] address) {
        return network.agrees(address, prefixLength);
    }

    private boolean hasStrayBits() {
        byte[] bytes = network.bytes();
        for (int bit = prefixLength; bit < bytes.length * 8; bit++) {
            if ((bytes[bit / 8] >> (7 - bit % 8) & 1) != 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return network + "/" + prefixLength;
    }
}
