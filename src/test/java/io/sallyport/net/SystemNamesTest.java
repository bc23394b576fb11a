package io.sallyport.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.net.NameSource.Answer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hosts file and the system's resolver, as a machine without {@code name-servers} has them. */
class SystemNamesTest {

    @TempDir
    Path folder;

    private final List<String> asked = new CopyOnWriteArrayList<>();

    @BeforeEach
    void hosts() throws Exception {
        Files.writeString(folder.resolve("hosts"), """
                # 10.9.9.9 comment.up.test
                127.0.0.1   localhost
                ::1\tlocalhost ip6-localhost
                10.1.2.3\tVault.up.test vault  # the vault
                fd00::7 vault.up.test
                fe80::1%eth0 zoned.up.test
                127.1 short.up.test
                not-an-address odd.up.test
                10.4.4.4
                """);
    }

    private InetAddress[] system(String name) throws UnknownHostException {
        asked.add(name);
        if (name.equals("api.up.test.")) {
            return new InetAddress[] {InetAddress.getByName("8.8.8.8"), InetAddress.getByName("2606:4700::1111")};
        }
        throw new UnknownHostException(name);
    }

    private Answer ask(String name) throws Exception {
        try (SystemNames names = new SystemNames(new HostsFile(folder.resolve("hosts")), this::system)) {
            return names.ask(name).get(10, TimeUnit.SECONDS);
        }
    }

    private static List<String> addresses(Answer answer) {
        return answer instanceof Answer.Found found
                ? found.addresses().stream().map(InetAddress::getHostAddress).toList()
                : List.of();
    }

    /** With a search list, whoever may make the name api.up.test.some.local would answer for api.up.test. */
    @Test
    void the_system_is_asked_for_absolute_names_so_that_no_search_list_applies() throws Exception {
        assertThat(addresses(ask("api.up.test"))).containsExactly("8.8.8.8", "2606:4700:0:0:0:0:0:1111");
        assertThat(ask("intranet")).isEqualTo(new Answer.NotFound("no such name"));
        assertThat(asked).containsExactly("api.up.test.", "intranet.");
    }

    @Test
    void what_the_hosts_file_has_is_not_asked_of_anybody() throws Exception {
        assertThat(addresses(ask("vault.up.test"))).containsExactly("10.1.2.3", "fd00:0:0:0:0:0:0:7");
        assertThat(addresses(ask("vault"))).containsExactly("10.1.2.3");
        assertThat(addresses(ask("localhost"))).containsExactly("127.0.0.1", "0:0:0:0:0:0:0:1");
        assertThat(asked).isEmpty();
    }

    @Test
    void comments_zones_and_what_is_no_address_name_nothing() throws Exception {
        for (String name : List.of("comment.up.test", "zoned.up.test", "short.up.test", "odd.up.test", "vault.up")) {
            assertThat(ask(name)).as(name).isEqualTo(new Answer.NotFound("no such name"));
        }
    }

    @Test
    void a_changed_hosts_file_counts_at_the_next_question_and_none_at_all_is_empty() throws Exception {
        Files.writeString(folder.resolve("hosts"), "10.7.7.7 vault.up.test\n");
        assertThat(addresses(ask("vault.up.test"))).containsExactly("10.7.7.7");
        Files.delete(folder.resolve("hosts"));
        assertThat(ask("vault.up.test")).isInstanceOf(Answer.NotFound.class);
    }

    /** A file that is there and can't be read might have said something: nobody else is asked instead. */
    @Test
    void a_hosts_file_that_can_not_be_read_refuses() throws Exception {
        Files.delete(folder.resolve("hosts"));
        Files.createDirectory(folder.resolve("hosts"));
        assertThat(ask("api.up.test"))
                .isEqualTo(new Answer.NotFound("the hosts file of the broker's machine can't be read"));
        assertThat(asked).isEmpty();
    }

    @Test
    void the_real_system_knows_localhost_and_no_invalid_name() throws Exception {
        try (SystemNames names = new SystemNames()) {
            assertThat(names.ask("localhost").get(10, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            Answer.Found.class,
                            found -> assertThat(found.addresses())
                                    .isNotEmpty()
                                    .allMatch(InetAddress::isLoopbackAddress));
            assertThat(names.ask("no-such-name.invalid").get(10, TimeUnit.SECONDS))
                    .isInstanceOf(Answer.NotFound.class);
        }
    }
}
