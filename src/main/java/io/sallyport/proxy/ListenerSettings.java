package io.sallyport.proxy;

import io.sallyport.http.IpRange;
import io.sallyport.http.Parsed;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where listeners of tasks' own may be, and the listener for connections that were led here.
 *
 * @param bind the address that ports are opened on
 * @param ports of tasks, apart from all others
 * @param most listeners open at one time, at least 1; a task beyond is refused
 * @param sockets folder of Unix sockets, absolute; null for none
 */
public record ListenerSettings(
        String bind, Ports ports, int most, @Nullable Path sockets, Transparent transparent) {

    /** With its folder, a random name must fit into what the kernel takes as an address (108 bytes, the last one zero). */
    static final int LONGEST_PATH = 107;

    private static final int NAME = SocketFile.NAME_LENGTH + 1;

    /** As in a fresh installation: on loopback, without sockets. */
    public static final ListenerSettings USUAL =
            new ListenerSettings("127.0.0.1", new Ports(13_128, 13_627), 500, null, Transparent.NONE);

    /** @param first and @param last 1 to 65535; both 0 to take what the system gives */
    public record Ports(int first, int last) {

        public static final Ports ANY = new Ports(0, 0);

        private static final Pattern RANGE = Pattern.compile("([1-9][0-9]{0,4})-([1-9][0-9]{0,4})");

        public Ports {
            boolean range = first >= 1 && last <= 65_535 && first <= last;
            if (!range && !(first == 0 && last == 0)) {
                throw wrong(first + "-" + last);
            }
        }

        /** @param text {@code FIRST-LAST}, or {@code 0} */
        public static Ports parse(String text) {
            if (text.equals("0")) {
                return ANY;
            }
            Matcher range = RANGE.matcher(text);
            if (!range.matches()) {
                throw wrong(text);
            }
            return new Ports(Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)));
        }

        boolean any() {
            return first == 0;
        }

        int size() {
            return last - first + 1;
        }

        private static IllegalArgumentException wrong(String text) {
            return new IllegalArgumentException(
                    "sallyport.proxy.listeners.ports: \"" + text
                            + "\" is no range. Allowed: FIRST-LAST, from 1 to 65535, as in 13128-13627; or 0 for what the system gives.");
        }
    }

    /**
     * For connections that a TPROXY rule leads here.
     *
     * @param bind the address of such listeners; null for none at all
     * @param port of the one that knows a task by its source address; 0 lets the system choose
     * @param sources in which an address is one sandbox's; empty for none: then each task asks for a listener of its own
     */
    public record Transparent(@Nullable String bind, int port, List<IpRange> sources) {

        public static final Transparent NONE = new Transparent(null, 3129, List.of());

        public Transparent {
            if (port < 0 || port > 65_535) {
                throw new IllegalArgumentException("sallyport.proxy.transparent.port is 0 to 65535: " + port);
            }
            if (bind == null && !sources.isEmpty()) {
                throw new IllegalArgumentException(
                        "sallyport.proxy.transparent.sources goes with sallyport.proxy.transparent.bind");
            }
            for (IpRange range : sources) {
                if (range.contains(new byte[] {127, 0, 0, 1}) || range.contains(loopback6())) {
                    throw new IllegalArgumentException(
                            "sallyport.proxy.transparent.sources: " + range
                                    + " holds a loopback address, which every process here has; allowed: networks of sandboxes that have an address each");
                }
            }
            sources = List.copyOf(sources);
        }

        private static byte[] loopback6() {
            byte[] one = new byte[16];
            one[15] = 1;
            return one;
        }

        /** @throws IllegalArgumentException naming the setting and what is allowed */
        public static List<IpRange> ranges(List<String> texts) {
            return texts.stream()
                    .map(text -> switch (IpRange.parse(text)) {
                        case Parsed.Valid<IpRange>(IpRange range) -> range;
                        case Parsed.Malformed<IpRange>(String reason) ->
                            throw new IllegalArgumentException("sallyport.proxy.transparent.sources: \"" + text
                                    + "\" is no network (" + reason + "). Allowed: as in 10.9.0.0/24.");
                    })
                    .toList();
        }

        /** The address of such listeners; empty for none. */
        public Optional<String> where() {
            return Optional.ofNullable(bind);
        }
    }

    public ListenerSettings {
        if (most < 1) {
            throw new IllegalArgumentException("sallyport.proxy.listeners.most is at least 1: " + most);
        }
        if (sockets != null
                && sockets.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8).length + NAME > LONGEST_PATH) {
            throw new IllegalArgumentException("sallyport.proxy.listeners.sockets: " + sockets
                    + " is too long for the path of a Unix socket. Allowed: at most " + (LONGEST_PATH - NAME)
                    + " bytes.");
        }
        if (sockets != null && !sockets.isAbsolute()) {
            throw new IllegalArgumentException("sallyport.proxy.listeners.sockets: " + sockets
                    + " is no absolute path, and whoever connects may have another working folder.");
        }
    }
}
