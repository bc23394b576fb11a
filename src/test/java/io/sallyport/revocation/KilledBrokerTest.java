package io.sallyport.revocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.grant.TestGrants;
import io.sallyport.testing.TestStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker that is killed (SIGKILL) at any moment has kept every grant and every revocation that it acknowledged. */
@Tag("slow")
class KilledBrokerTest {

    @RegisterExtension
    final TestStore store = new TestStore();

    /** What the other process does until it is killed: opens tasks with a child, ends every second one, and says so after each answer. */
    public static final class Victim {
        private Victim() {}

        public static void main(String[] args) {
            TestStore store = TestStore.at(Path.of(args[0]));
            RevocationRoom room = new RevocationRoom(store);
            for (int i = 0; ; i++) {
                Grant root = room.grants.open(TestGrants.active());
                say("opened", root);
                Grant child = room.grants.open(TestGrants.childOf(root));
                say("opened", child);
                if (i % 2 == 0 && room.order(Map.of("task", root.task())).durable()) {
                    say("revoked", root);
                    say("revoked", child);
                }
            }
        }

        private static void say(String what, Grant grant) {
            System.out.println(what + " " + grant.id());
            System.out.flush();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void nothing_acknowledged_is_lost(int seed) throws Exception {
        store.sqlite().close();
        Set<String> opened = new HashSet<>();
        Set<String> revoked = new HashSet<>();
        runAndKill(50 + new Random(seed).nextInt(400), opened, revoked);

        store.reopen();
        RevocationRoom room = new RevocationRoom(store);
        Grants grants = room.grants.grants();
        assertThat(opened).hasSizeGreaterThan(20);
        assertThat(revoked).hasSizeGreaterThan(10);
        Set<String> standing = new HashSet<>();
        grants.standing(any -> true).forEach(grant -> standing.add(grant.id()));
        for (String id : opened) {
            assertThat(grants.byId(id)).as(id).isPresent();
        }
        assertThat(standing).doesNotContainAnyElementsOf(revoked);
        Set<String> unaccounted = new HashSet<>(opened);
        unaccounted.removeAll(revoked);
        unaccounted.removeAll(standing);
        assertThat(unaccounted)
                .as("ended without an answer: at most the task in flight")
                .hasSizeLessThanOrEqualTo(2);
    }

    private void runAndKill(int lines, Set<String> opened, Set<String> revoked)
            throws IOException, InterruptedException {
        Process victim = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Victim.class.getName(),
                        store.data().getParent().toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(victim.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                note(line, "opened ", opened);
                note(line, "revoked ", revoked);
                if (--lines == 0) {
                    victim.toHandle()
                            .destroyForcibly(); // the handle leaves the pipe open: what was said before is read to its
                    // end
                }
            }
        } finally {
            victim.destroyForcibly().waitFor();
        }
    }

    private static void note(String line, String what, Set<String> ids) {
        if (line.startsWith(what)) {
            ids.add(line.substring(what.length()));
        }
    }
}
