package io.sallyport.proxy;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How many connections the hop may hold. Every one is an open file, and so are the operator's: an agent that could use up the process's
 * files by connecting would keep the operator from stopping it.
 */
final class OpenFiles {

    private static final int MOST = 10_000;
    private static final int FEWEST = 64;

    private OpenFiles() {}

    static int forAgents() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? forAgents(unix.getMaxFileDescriptorCount())
                : MOST;
    }

    /** A quarter of what the process may open: each connection may need another one to a destination, and as many are left over. */
    static int forAgents(long openFiles) {
        return (int) Math.clamp(openFiles / 4, FEWEST, MOST);
    }
}
