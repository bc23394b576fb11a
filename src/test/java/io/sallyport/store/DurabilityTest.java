package io.sallyport.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.sallyport.ledger.LedgerFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was acknowledged was on disk before it was acknowledged: seen from outside the process, by system calls and by killing it. */
@Tag("slow")
class DurabilityTest {

    private static final int ROUNDS = 6;

    @TempDir
    Path folder;

    @Test
    void a_trace_shows_the_sync_of_the_log_before_anything_that_follows_the_acknowledgement() throws Exception {
        requireStrace();
        Path trace = folder.resolve("trace");
        Process child = child(
                List.of(
                        "strace",
                        "-f",
                        "-y",
                        "-qq",
                        "-e",
                        "trace=fsync,fdatasync,write,pwrite64",
                        "-o",
                        trace.toString()),
                "5");
        assertThat(acknowledgements(child)).hasSize(5);
        assertThat(child.waitFor()).isZero();

        boolean dirty = false;
        int acknowledged = 0;
        for (String line : Files.readAllLines(trace, StandardCharsets.UTF_8)) {
            // A call that another thread interrupts is written in two lines; the first names the file, and only the
            // second says it returned.
            if (line.contains("pwrite64(") && line.contains("sallyport.db-wal")) {
                dirty = true;
            } else if (SYNCED.matcher(line).find()) {
                dirty = false;
            } else if (line.contains("\"acknowledged ")) {
                acknowledged++;
                assertThat(dirty).as("the log has unsynced bytes at: %s", line).isFalse();
            }
        }
        assertThat(acknowledged).isEqualTo(5);
    }

    /** A sync that has returned: whole, or resumed after other threads' calls. The child syncs nothing but the database's files. */
    private static final Pattern SYNCED = Pattern.compile(
            "(f(data)?sync\\(\\d+<[^>]*sallyport\\.db-wal[^>]*>\\)|<\\.\\.\\. f(data)?sync resumed>.*)\\s+= 0");

    @Test
    void nothing_acknowledged_is_lost_by_kill_9_and_the_chain_holds() throws Exception {
        Random random = new Random(5);
        long acknowledged = -1;
        for (int round = 0; round < ROUNDS; round++) {
            Process child = child(List.of(), "1000000");
            int killAfter = 1 + random.nextInt(2_000);
            try (BufferedReader lines = reader(child)) {
                String line = lines.readLine();
                for (int i = 0; line != null && i < killAfter; i++) {
                    acknowledged = number(line);
                    line = lines.readLine();
                }
                child.destroyForcibly();
                // What it said before it died counts as well, up to the last whole line.
                for (; line != null; line = lines.readLine()) {
                    acknowledged = line.matches("acknowledged \\d+\\.") ? number(line) : acknowledged;
                }
            } catch (IOException e) {
                assertThat(child.waitFor()).isNotZero();
            }
            child.waitFor();
            try (LedgerFile file = LedgerFile.open(folder.resolve("data"))) {
                assertThat(file.verify().why()).isNull();
                assertThat(file.head().entries()).isGreaterThan(acknowledged);
                assertThat(file.entry(acknowledged)).isPresent();
            }
        }
        assertThat(acknowledged).isPositive();
    }

    private static List<Long> acknowledgements(Process child) throws IOException {
        List<Long> numbers = new ArrayList<>();
        try (BufferedReader lines = reader(child)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                numbers.add(number(line));
            }
        }
        return numbers;
    }

    private static long number(String line) {
        return Long.parseLong(line.substring("acknowledged ".length(), line.length() - 1));
    }

    private static BufferedReader reader(Process child) {
        return new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
    }

    private Process child(List<String> before, String appends) throws IOException {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xshare:auto",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                AppendingChild.class.getName(),
                folder.resolve("data").toString(),
                appends));
        return new ProcessBuilder(command)
                .redirectError(folder.resolve("errors").toFile())
                .start();
    }

    private static void requireStrace() throws InterruptedException {
        try {
            boolean works = new ProcessBuilder("strace", "-qq", "-o", "/dev/null", "true")
                            .start()
                            .waitFor()
                    == 0;
            if (works) {
                return;
            }
        } catch (IOException e) {
            // Said below.
        }
        if ("true".equals(System.getenv("CI"))) {
            fail("strace is missing or may not trace; it is needed here where CI=true");
        }
        Assumptions.abort("skipped: strace is missing or may not trace");
    }
}
