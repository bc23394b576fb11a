package io.sallyport.http;

import java.util.Arrays;
import java.util.Locale;

/**
 * An IP address written as such, in its one spelling: IPv4 as four decimal octets, IPv6 as in RFC 5952. An IPv4-mapped IPv6 address
 * <em>is</em> the IPv4 address: whoever dials either reaches the same host, so that two spellings would be two answers to one question.
 */
public final class IpLiteral {

    private static final int[] NO_GROUPS = new int[0];
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private final byte[] address;

    private IpLiteral(byte[] address) {
        this.address = address;
    }

    /**
     * @param text without brackets and without a zone: a zone names an interface of this machine, which is nobody else's to choose
     * @return malformed for everything but dotted decimals without leading zeros, and RFC 4291 section 2.2
     */
    public static Parsed<IpLiteral> parse(String text) {
        byte[] bytes = text.indexOf(':') < 0 ? fourOctets(text) : sixteenOctets(text);
        if (bytes.length == 0) {
            return Parsed.malformed("not an IP address: four decimal octets, or IPv6 as in RFC 4291, are allowed");
        }
        boolean mapped = bytes.length == 16 && Arrays.equals(bytes, 0, 12, MAPPED, 0, 12);
        return Parsed.valid(new IpLiteral(mapped ? Arrays.copyOfRange(bytes, 12, 16) : bytes));
    }

    /** 4 or 16 bytes in network order. */
    public byte[] bytes() {
        return address.clone();
    }

    public int bits() {
        return address.length * 8;
    }

    /** Whether another address has the same first bits; asked for every address that is dialled, so nothing is copied. */
    boolean agrees(byte[] other, int firstBits) {
        int whole = firstBits / 8;
        if (other.length != address.length || !Arrays.equals(address, 0, whole, other, 0, whole)) {
            return false;
        }
        int rest = firstBits % 8;
        int mask = 0xff << (8 - rest) & 0xff;
        return rest == 0 || (address[whole] & mask) == (other[whole] & mask);
    }

    private static byte[] fourOctets(String text) {
        byte[] octets = new byte[4];
        int at = 0;
        for (int i = 0; i < 4; i++) {
            int end = i < 3 ? text.indexOf('.', at) : text.length();
            int octet = end < 0 ? -1 : octet(text, at, end);
            if (octet < 0) {
                return new byte[0];
            }
            octets[i] = (byte) octet;
            at = end + 1;
        }
        return octets;
    }

    private static int octet(String text, int from, int to) {
        int length = to - from;
        if (length < 1 || length > 3 || (length > 1 && text.charAt(from) == '0')) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            value = value * 10 + (c - '0');
        }
        return value <= 255 ? value : -1;
    }

    private static byte[] sixteenOctets(String text) {
        int gap = text.indexOf("::");
        int[] before = groups(gap < 0 ? text : text.substring(0, gap));
        int[] after = gap < 0 ? NO_GROUPS : groups(text.substring(gap + 2));
        int written = before.length + after.length;
        boolean bad = before == BAD || after == BAD || (gap < 0 ? written != 8 : written > 7);
        if (bad) {
            return new byte[0];
        }
        byte[] bytes = new byte[16];
        put(before, bytes, 0);
        put(after, bytes, 8 - after.length);
        return bytes;
    }

    private static final int[] BAD = {-1};

    /** Groups of up to four hex digits, the last of which may be a dotted IPv4 address that stands for two. */
    private static int[] groups(String text) {
        if (text.isEmpty()) {
            return NO_GROUPS;
        }
        String[] parts = text.split(":", -1);
        String last = parts[parts.length - 1];
        boolean dotted = last.indexOf('.') >= 0;
        int plain = dotted ? parts.length - 1 : parts.length;
        int[] groups = new int[dotted ? plain + 2 : plain];
        for (int i = 0; i < plain; i++) {
            groups[i] = group(parts[i]);
            if (groups[i] < 0) {
                return BAD;
            }
        }
        if (dotted) {
            byte[] octets = fourOctets(last);
            if (octets.length == 0) {
                return BAD;
            }
            groups[plain] = (octets[0] & 0xff) << 8 | (octets[1] & 0xff);
            groups[plain + 1] = (octets[2] & 0xff) << 8 | (octets[3] & 0xff);
        }
        return groups;
    }

    private static int group(String text) {
        if (text.isEmpty() || text.length() > 4) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = Ascii.hex(text.charAt(i));
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private static void put(int[] groups, byte[] into, int firstGroup) {
        for (int i = 0; i < groups.length; i++) {
            into[2 * (firstGroup + i)] = (byte) (groups[i] >> 8);
            into[2 * (firstGroup + i) + 1] = (byte) groups[i];
        }
    }

    /** Without brackets. */
    @Override
    public String toString() {
        if (address.length == 4) {
            return (address[0] & 0xff) + "." + (address[1] & 0xff) + "." + (address[2] & 0xff) + "."
                    + (address[3] & 0xff);
        }
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = (address[2 * i] & 0xff) << 8 | (address[2 * i + 1] & 0xff);
        }
        return compressed(groups);
    }

    /** RFC 5952 section 4.2: the first longest run of two or more zero groups becomes {@code ::}. */
    private static String compressed(int[] groups) {
        int gapAt = -1;
        int gapLength = 1;
        for (int i = 0; i < 8; i++) {
            int run = 0;
            while (i + run < 8 && groups[i + run] == 0) {
                run++;
            }
            if (run > gapLength) {
                gapAt = i;
                gapLength = run;
            }
        }
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < 8; i++) {
            if (i == gapAt) {
                text.append("::");
                i += gapLength - 1;
                continue;
            }
            if (i > 0 && i != gapAt + gapLength) {
                text.append(':');
            }
            text.append(Integer.toHexString(groups[i]));
        }
        return text.toString().toLowerCase(Locale.ROOT);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IpLiteral that && Arrays.equals(address, that.address);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(address);
    }
}
