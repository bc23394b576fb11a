package io.sallyport.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.opentest4j.TestAbortedException;

/** Programs that a test drives for real. One that is missing skips the test and says so; where CI=true it fails instead. */
public final class Tools {

    private Tools() {}

    public static void require(String... programs) {
        List<String> missing =
                Arrays.stream(programs).filter(program -> !present(program)).toList();
        if (missing.isEmpty()) {
            return;
        }
        throw lacking("this test drives " + missing + ", which this machine lacks");
    }

    /** What needs root fails where CI=true without it, and is skipped elsewhere. */
    public static void requireRoot() {
        if (!root()) {
            throw lacking("this test makes network namespaces, for which it has to be root");
        }
    }

    public static boolean root() {
        return System.getProperty("user.name").equals("root");
    }

    /** What a test throws that can't be run here: it fails where CI=true, and is skipped elsewhere. */
    static RuntimeException lacking(String sentence) {
        if ("true".equals(System.getenv("CI"))) {
            Assertions.fail(sentence);
        }
        System.out.println("Skipped: " + sentence);
        return new TestAbortedException(sentence);
    }

    public static boolean present(String program) {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder).resolve(program)));
    }

    /** @param out standard output, @param err standard error, each whole */
    public record Ran(int exit, String out, String err) {}

    /** Runs a command in a folder, with these variables over the process' own, for at most two minutes. */
    public static Ran run(Path folder, Map<String, String> environment, String... command) {
        try {
            Path out = Files.createTempFile("out", ".txt");
            Path err = Files.createTempFile("err", ".txt");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment()
                    .keySet()
                    .removeIf(name -> name.toLowerCase(java.util.Locale.ROOT).endsWith("_proxy"));
            builder.environment().putAll(environment);
            Process process = builder.start();
            if (!process.waitFor(120, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(
                        Arrays.toString(command) + " did not end in two minutes: " + Files.readString(err));
            }
            Ran ran = new Ran(
                    process.exitValue(), Files.readString(out, StandardCharsets.ISO_8859_1), Files.readString(err));
            Files.delete(out);
            Files.delete(err);
            return ran;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
