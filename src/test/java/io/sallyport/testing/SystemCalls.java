package io.sallyport.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code strace -f -y -o FILE} saw, in order. A call that another thread's interrupts is one call here, with its begin and its end. */
public final class SystemCalls {

    private static final Pattern LINE = Pattern.compile("(\\d+)\\s+(.*)");
    private static final Pattern BEGIN = Pattern.compile("(\\w+)\\((.*)");
    private static final Pattern RESUMED = Pattern.compile("<\\.\\.\\. (\\w+) resumed>(.*)");
    private static final Pattern RESULT = Pattern.compile(".*\\)\\s+= (-?\\d+).*");
    private static final String UNFINISHED = " <unfinished ...>";

    /**
     * @param begin the place in the trace at which the call was made
     * @param end the place at which it had returned; {@link Integer#MAX_VALUE} while it has not
     * @param arguments as traced: the descriptor with its file first
     */
    public record Call(String name, String arguments, int begin, int end, long result) {

        public boolean onFile(String ending) {
            return arguments.substring(0, Math.max(0, arguments.indexOf('>'))).endsWith(ending);
        }

        /** The descriptor with what it stands for, as in {@code 54<socket:[1234]>}. */
        public String descriptor() {
            return arguments.substring(0, arguments.indexOf('>') + 1);
        }

        public boolean writes() {
            return List.of("write", "writev", "pwrite64", "sendto", "sendmsg").contains(name);
        }

        private Call ended(int at, String rest) {
            Matcher result = RESULT.matcher(rest);
            return new Call(name, arguments, begin, at, result.matches() ? Long.parseLong(result.group(1)) : -1);
        }
    }

    private final List<Call> calls;

    private SystemCalls(List<Call> calls) {
        this.calls = calls;
    }

    /** The command that goes in front of the one to be traced. */
    public static String[] tracing(Path file) {
        return new String[] {
            "strace",
            "-f",
            "-y",
            "-qq",
            "-s",
            "5000",
            "--seccomp-bpf",
            "-e",
            "trace=fdatasync,fsync,pwrite64,sendto,write,writev,sendmsg,connect",
            "-o",
            file.toString()
        };
    }

    public static SystemCalls read(Path file) {
        try {
            return of(Files.readAllLines(file, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static SystemCalls of(List<String> lines) {
        List<Call> calls = new ArrayList<>();
        Map<String, Integer> unfinished = new HashMap<>();
        for (int at = 0; at < lines.size(); at++) {
            Matcher line = LINE.matcher(lines.get(at));
            if (!line.matches()) {
                continue;
            }
            Matcher resumed = RESUMED.matcher(line.group(2));
            Matcher begin = BEGIN.matcher(line.group(2));
            if (resumed.matches()) {
                Integer begun = unfinished.remove(line.group(1));
                if (begun != null) {
                    calls.set(begun, calls.get(begun).ended(at, resumed.group(2)));
                }
            } else if (begin.matches()) {
                Call call = new Call(begin.group(1), begin.group(2), at, Integer.MAX_VALUE, -1);
                boolean whole = !begin.group(2).endsWith(UNFINISHED);
                if (!whole) {
                    unfinished.put(line.group(1), calls.size());
                }
                calls.add(whole ? call.ended(at, begin.group(2)) : call);
            }
        }
        return new SystemCalls(List.copyOf(calls));
    }

    public List<Call> all(Predicate<Call> wanted) {
        return calls.stream().filter(wanted).toList();
    }

    /** The first sync of the database's log that began after this text was written to it, and has returned. */
    public Call syncOf(String text) {
        Call written = first(
                "a write of " + text + " to the log",
                call -> call.name().equals("pwrite64")
                        && call.onFile("sallyport.db-wal")
                        && call.arguments().contains(text));
        return first(
                "a sync of the log behind " + text,
                call -> (call.name().equals("fdatasync") || call.name().equals("fsync"))
                        && call.onFile("sallyport.db-wal")
                        && call.begin() > written.begin()
                        && call.result() == 0);
    }

    /** @param what is looked for, in words */
    public Call first(String what, Predicate<Call> wanted) {
        return calls.stream()
                .filter(wanted)
                .findFirst()
                .orElseThrow(() -> new AssertionError("the trace lacks " + what));
    }
}
