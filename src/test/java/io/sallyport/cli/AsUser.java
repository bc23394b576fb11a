package io.sallyport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.testing.TestProcess;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a user does before a client is started, and nothing else. */
final class AsUser {

    private AsUser() {}

    /** Runs a verb that exchanges. @return what it printed */
    static String sallyport(TestProcess broker, Path folder, String verb, String... arguments) throws Exception {
        Path token = Files.writeString(folder.resolve("workload.jwt"), broker.workloadToken("agent-1"));
        List<String> all = new ArrayList<>(List.of(
                verb,
                "--agent",
                "http://127.0.0.1:" + broker.agentPort(),
                "--hop",
                "http://127.0.0.1:" + broker.hopPort(),
                "--folder",
                folder.resolve("trust").toString(),
                "--token-file",
                token.toString()));
        all.addAll(List.of(arguments));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Cli.commandLine(_ -> () -> {}, Clock.systemUTC())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all.toArray(String[]::new));
        assertThat(exit).as(err.toString()).isZero();
        return out.toString();
    }

    /** The variables of lines that begin with {@code export}. */
    static Map<String, String> exported(String lines) {
        Map<String, String> variables = new LinkedHashMap<>();
        lines.lines().filter(line -> line.startsWith("export ")).forEach(line -> {
            int equals = line.indexOf('=');
            variables.put(line.substring(7, equals), line.substring(equals + 2, line.length() - 1));
        });
        return variables;
    }
}
