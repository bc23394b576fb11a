package io.sallyport.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code src/main/sh/sallyport} in a real shell, with a build and a JDK that only say what they were asked. */
class LauncherTest {

    /** Prints the jar it was given and its content; waits, where it is to be a broker, and prints the content again. */
    private static final String JAVA = """
            #!/bin/sh
            [ "$1" != -version ] || { echo 'openjdk version "25.0.1"' >&2; exit 0; }
            while [ "$1" != -jar ]; do shift; done
            echo "runs $2 $(cat "$2")"
            [ "${3:-}" = verb ] || { read -r go; echo "still $(cat "$2")"; }
            """;

    /** Two at once would be seen: a build that meets another fails. */
    private static final String MVN = """
            #!/bin/sh
            mkdir building || exit 1
            n=$(($(cat builds 2>/dev/null || echo 0) + 1))
            sleep 0.3
            echo $n >builds
            echo "build $n" >target/sallyport.jar
            rmdir building
            """;

    @TempDir
    Path root;

    private final List<Process> started = new ArrayList<>();
    private String path = "";

    @BeforeEach
    void a_clone() throws IOException {
        Files.createDirectories(root.resolve("src/main/sh"));
        Files.createDirectories(root.resolve("target"));
        Files.copy(Path.of("src/main/sh/sallyport"), root.resolve("src/main/sh/sallyport"));
        Files.writeString(root.resolve("pom.xml"), "<project/>");
        program("jdk/bin/java", JAVA);
        program("bin/mvn", MVN);
    }

    @AfterEach
    void none_is_left() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void what_runs_keeps_its_jar_when_the_sources_change_and_another_call_builds() throws Exception {
        Process broker = sallyport("--sallyport.some=thing", "first");
        await().atMost(Duration.ofMinutes(1)).until(() -> said("first").contains("build 1"));

        edit();
        finish(sallyport("verb", "second"));
        assertThat(said("second")).contains("build 2");
        edit();
        finish(sallyport("verb", "third"));
        assertThat(said("third")).contains("build 3");

        broker.outputWriter().append("go\n").close();
        finish(broker);
        assertThat(said("first")).contains("still build 1");
    }

    @Test
    void a_jar_that_something_else_built_is_run_by_the_next_call_and_not_by_what_runs() throws Exception {
        Process broker = sallyport("--sallyport.some=thing", "first");
        await().atMost(Duration.ofMinutes(1)).until(() -> said("first").contains("build 1"));

        Files.writeString(root.resolve("target/sallyport.jar"), "by hand");
        finish(sallyport("verb", "second"));
        assertThat(said("second")).contains("by hand");

        broker.outputWriter().append("go\n").close();
        finish(broker);
        assertThat(said("first")).contains("still build 1");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void calls_at_once_build_once(boolean flock) throws Exception {
        if (!flock) {
            hideFlock();
        }
        List<Process> calls = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            calls.add(sallyport("verb", "call" + i));
        }
        for (int i = 0; i < calls.size(); i++) {
            finish(calls.get(i));
            assertThat(said("call" + i)).contains("build 1");
        }
        assertThat(root.resolve("builds")).hasContent("1\n");
        assertThat(root.resolve("target/run/lock.d")).doesNotExist();
    }

    @Test
    void copies_that_nobody_runs_go() throws Exception {
        for (int i = 0; i < 3; i++) {
            edit();
            finish(sallyport("verb", "call" + i));
        }
        try (Stream<Path> copies = Files.list(root.resolve("target/run"))) {
            assertThat(copies.filter(file -> file.toString().endsWith(".jar"))).hasSize(1);
        }
    }

    /** In PATH are only the programs that the launcher needs, and not flock. */
    private void hideFlock() throws IOException {
        for (String name : List.of(
                "sh", "dirname", "find", "head", "grep", "cat", "mkdir", "rmdir", "rm", "mv", "cp", "touch", "date",
                "sleep")) {
            Path program = Stream.of("/usr/bin", "/bin")
                    .map(folder -> Path.of(folder, name))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow();
            Files.createSymbolicLink(root.resolve("bin").resolve(name), program);
        }
        path = root.resolve("bin").toString();
    }

    private void edit() throws IOException {
        Path pom = root.resolve("pom.xml");
        Files.setLastModifiedTime(pom, FileTime.from(Instant.now()));
    }

    private Process sallyport(String argument, String name) throws IOException {
        ProcessBuilder call = new ProcessBuilder(
                        root.resolve("src/main/sh/sallyport").toString(), argument)
                .redirectErrorStream(true)
                .redirectOutput(root.resolve(name + ".out").toFile());
        call.environment().put("JAVA_HOME", root.resolve("jdk").toString());
        call.environment().put("PATH", path.isEmpty() ? root.resolve("bin") + ":" + System.getenv("PATH") : path);
        Process process = call.start();
        started.add(process);
        return process;
    }

    private void finish(Process call) throws InterruptedException {
        assertThat(call.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(call.exitValue()).isZero();
    }

    private String said(String name) throws IOException {
        return Files.readString(root.resolve(name + ".out"));
    }

    private void program(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
