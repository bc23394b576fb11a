package io.sallyport.bench.hop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A process' CPU time so far, user and system, from the kernel's own accounting. */
record ProcessCpu(long pid) {

    /** The kernel counts in hundredths of a second on every Linux that we know. */
    private static final double TICKS_PER_SECOND = 100;

    double seconds() throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    }
}
