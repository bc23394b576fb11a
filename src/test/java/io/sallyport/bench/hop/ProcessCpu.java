package io.sallyport.bench.hop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A process' CPU time so far, and its children's: user and system, from the kernel's own accounting. */
record ProcessCpu(long pid) {

    /** The kernel counts in hundredths of a second on every Linux that we know. */
    private static final double TICKS_PER_SECOND = 100;

    double seconds() throws IOException {
        double all = 0;
        for (long each : family()) {
            all += seconds(Path.of("/proc/" + each + "/stat"));
        }
        return all;
    }

    /** Kilobytes resident, of the process and its children. */
    long residentKib() throws IOException {
        long all = 0;
        for (long each : family()) {
            try (Stream<String> lines = Files.lines(Path.of("/proc/" + each + "/status"))) {
                all += lines.filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .sum();
            }
        }
        return all;
    }

    /** CPU seconds of each kind of thread: its name as far as the first digit. */
    Map<String, Double> byThread() throws IOException {
        Map<String, Double> all = new TreeMap<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks.toList()) {
                String name = name(task);
                all.merge(name, seconds(task.resolve("stat")), Double::sum);
            }
        }
        return all;
    }

    private static String name(Path task) throws IOException {
        try {
            String name = Files.readString(task.resolve("comm")).strip();
            return name.startsWith("GC") || name.startsWith("G1") ? "GC" : name.replaceAll("[-# ]*[0-9].*", "");
        } catch (NoSuchFileException ended) {
            return "ended";
        }
    }

    private List<Long> family() {
        return ProcessHandle.of(pid).stream()
                .flatMap(parent -> Stream.concat(Stream.of(parent), parent.descendants()))
                .map(ProcessHandle::pid)
                .toList();
    }

    private static double seconds(Path file) throws IOException {
        try {
            String stat = Files.readString(file);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
        } catch (NoSuchFileException ended) {
            return 0;
        }
    }
}
