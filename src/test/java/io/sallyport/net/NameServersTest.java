package io.sallyport.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.net.NameSource.Answer;
import io.sallyport.testing.HostileNameServer;
import io.sallyport.testing.TestNameServer;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Name servers that lie, are slow, answer too much or nothing: RW-63's neighbours. */
@Timeout(20)
class NameServersTest {

    private static final Answer NO_ANSWER = new Answer.NotFound("the name servers do not answer");

    private static Answer ask(String name, HostileNameServer... servers) throws Exception {
        return ask(name, Arrays.stream(servers).map(HostileNameServer::address).toList());
    }

    private static Answer ask(String name, List<String> servers) throws Exception {
        try (NameServers names = new NameServers(servers)) {
            return names.ask(name).get(15, TimeUnit.SECONDS);
        }
    }

    private static Answer found(long seconds, String... addresses) throws IOException {
        List<InetAddress> all = new ArrayList<>();
        for (String address : addresses) {
            all.add(InetAddress.getByName(address));
        }
        return new Answer.Found(all, Duration.ofSeconds(seconds));
    }

    private static Name name(String text) throws IOException {
        return Name.fromString(text, Name.root);
    }

    private static Record a(String owner, String address, long seconds) throws IOException {
        return new ARecord(name(owner), DClass.IN, seconds, InetAddress.getByName(address));
    }

    private static Record aaaa(String owner, String address) throws IOException {
        return new AAAARecord(name(owner), DClass.IN, 60, InetAddress.getByName(address));
    }

    private static Record cname(String owner, String target) throws IOException {
        return new CNAMERecord(name(owner), DClass.IN, 60, name(target));
    }

    private static boolean v4(Message question) {
        return question.getQuestion().getType() == Type.A;
    }

    private static Message answerTo(Message question, Record... records) {
        Message answer = new Message(question.getHeader().getID());
        answer.getHeader().setFlag(Flags.QR);
        answer.addRecord(question.getQuestion(), Section.QUESTION);
        for (Record record : records) {
            answer.addRecord(record, Section.ANSWER);
        }
        return answer;
    }

    /** Answers A questions with these records, and AAAA questions with none. */
    private static HostileNameServer.Script v4Only(Record... records) {
        return (question, _) -> List.of((v4(question) ? answerTo(question, records) : answerTo(question)).toWire());
    }

    @Test
    void both_families_of_a_name_are_one_answer() throws Exception {
        try (var server = new HostileNameServer((question, _) -> List.of(
                answerTo(question, v4(question) ? a("api.up.test", "8.8.8.8", 90) : aaaa("api.up.test", "fd00::1"))
                        .toWire()))) {
            assertThat(ask("api.up.test", server)).isEqualTo(found(60, "8.8.8.8", "fd00::1"));
            assertThat(server.asked()).containsExactlyInAnyOrder("api.up.test. A udp", "api.up.test. AAAA udp");
        }
    }

    @Test
    void an_answer_with_another_id_is_none() throws Exception {
        try (var server = new HostileNameServer((question, _) -> {
            Message forged = answerTo(question, a("api.up.test", "6.6.6.6", 60));
            forged.getHeader().setID(question.getHeader().getID() ^ 1);
            return List.of(forged.toWire());
        })) {
            assertThat(ask("api.up.test", server)).isEqualTo(NO_ANSWER);
        }
    }

    @Test
    void an_answer_to_another_question_is_none() throws Exception {
        try (var server = new HostileNameServer((question, _) -> {
            Message other = Message.newQuery(Record.newRecord(name("evil.test"), Type.A, DClass.IN));
            other.getHeader().setID(question.getHeader().getID());
            return List.of(answerTo(other, a("api.up.test", "6.6.6.6", 60)).toWire());
        })) {
            assertThat(ask("api.up.test", server)).isInstanceOf(Answer.NotFound.class);
        }
    }

    @Test
    void a_question_sent_back_is_no_answer() throws Exception {
        try (var server = new HostileNameServer((question, _) -> {
            Message echoed = answerTo(question, a("api.up.test", "6.6.6.6", 60));
            echoed.getHeader().unsetFlag(Flags.QR);
            return List.of(echoed.toWire());
        })) {
            assertThat(ask("api.up.test", server)).isEqualTo(NO_ANSWER);
        }
    }

    /** Off the path an attacker can guess neither port nor id; here it knows both, and speaks from another place. */
    @Test
    void an_answer_from_another_place_is_not_heard() throws Exception {
        try (DatagramSocket server = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"));
                DatagramSocket spoofer = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
            Thread.ofVirtual().start(() -> {
                byte[] buffer = new byte[2048];
                try {
                    while (true) {
                        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                        server.receive(packet);
                        Message question = new Message(Arrays.copyOf(buffer, packet.getLength()));
                        byte[] forged = answerTo(question, a("api.up.test", "6.6.6.6", 60))
                                .toWire();
                        spoofer.send(new DatagramPacket(forged, forged.length, packet.getSocketAddress()));
                        byte[] real = (v4(question)
                                        ? answerTo(question, a("api.up.test", "8.8.8.8", 60))
                                        : answerTo(question))
                                .toWire();
                        server.send(new DatagramPacket(real, real.length, packet.getSocketAddress()));
                    }
                } catch (IOException e) {
                    // Closed.
                }
            });
            assertThat(ask("api.up.test", List.of("127.0.0.1:" + server.getLocalPort())))
                    .isEqualTo(found(60, "8.8.8.8"));
        }
    }

    @Test
    void records_that_nobody_asked_for_are_not_taken() throws Exception {
        try (var server = new HostileNameServer((question, _) -> {
            Message answer = answerTo(question, a("bank.up.test", "6.6.6.6", 60));
            if (v4(question)) {
                answer.addRecord(a("api.up.test", "8.8.8.8", 60), Section.ANSWER);
                answer.addRecord(aaaa("api.up.test", "fd00::6"), Section.ANSWER);
            }
            answer.addRecord(a("api.up.test", "6.6.6.7", 60), Section.ADDITIONAL);
            answer.addRecord(a("api.up.test", "6.6.6.8", 60), Section.AUTHORITY);
            return List.of(answer.toWire());
        })) {
            assertThat(ask("api.up.test", server)).isEqualTo(found(60, "8.8.8.8"));
        }
    }

    @Test
    void aliases_are_followed_within_the_answer_and_the_shortest_time_counts() throws Exception {
        try (var server = new HostileNameServer(v4Only(
                a("edge.cdn.test", "8.8.8.8", 20),
                cname("Api.UP.test", "x.cdn.test"),
                cname("x.cdn.test", "edge.cdn.test"),
                a("other.cdn.test", "6.6.6.6", 60)))) {
            assertThat(ask("api.up.test", server)).isEqualTo(found(20, "8.8.8.8"));
        }
    }

    @Test
    void aliases_that_go_round_or_lead_nowhere_end() throws Exception {
        Record[] longer = new Record[40];
        for (int i = 0; i < 39; i++) {
            longer[i] = cname(i == 0 ? "api.up.test" : "x" + i + ".test", "x" + (i + 1) + ".test");
        }
        longer[39] = a("x39.test", "8.8.8.8", 60);
        for (Record[] records : new Record[][] {
            {cname("api.up.test", "api.up.test")},
            {cname("api.up.test", "b.test"), cname("b.test", "api.up.test"), a("api.up.test", "8.8.8.8", 60)},
            {cname("api.up.test", "elsewhere.test")},
            longer
        }) {
            try (var server = new HostileNameServer(v4Only(records))) {
                assertThat(ask("api.up.test", server)).isInstanceOf(Answer.NotFound.class);
            }
        }
    }

    @Test
    void an_answer_that_is_cut_is_asked_for_over_tcp() throws Exception {
        try (var server = new HostileNameServer((question, tcp) -> {
            Message answer = v4(question)
                    ? answerTo(question, a("api.up.test", tcp ? "8.8.8.8" : "6.6.6.6", 60))
                    : answerTo(question);
            if (!tcp) {
                answer.getHeader().setFlag(Flags.TC);
            }
            return List.of(answer.toWire());
        })) {
            assertThat(ask("api.up.test", server)).isEqualTo(found(60, "8.8.8.8"));
            assertThat(server.asked()).contains("api.up.test. A tcp");
        }
    }

    @Test
    void a_cut_answer_without_a_whole_one_is_none() throws Exception {
        try (var server = new HostileNameServer((question, tcp) -> {
            Message answer = answerTo(question, a("api.up.test", "6.6.6.6", 60));
            answer.getHeader().setFlag(Flags.TC);
            return tcp ? List.of() : List.of(answer.toWire());
        })) {
            assertThat(ask("api.up.test", server)).isEqualTo(NO_ANSWER);
        }
    }

    @Test
    void nonsense_is_no_answer_and_breaks_nothing() throws Exception {
        byte[][] nonsense = {
            {},
            {1},
            new byte[12],
            new byte[60_000],
            // A name that points at itself.
            {0, 0, (byte) 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, (byte) 0xc0, 12, 0, 1, 0, 1},
            // A thousand answers that are not there.
            {0, 0, (byte) 0x80, 0, 0, 0, 3, (byte) 0xe8, 0, 0, 0, 0}
        };
        for (byte[] bytes : nonsense) {
            try (var server = new HostileNameServer((question, _) -> {
                byte[] answer = bytes.clone();
                if (answer.length > 1) {
                    answer[0] = (byte) (question.getHeader().getID() >> 8);
                    answer[1] = (byte) question.getHeader().getID();
                }
                return List.of(answer);
            })) {
                assertThat(ask("api.up.test", server)).isInstanceOf(Answer.NotFound.class);
            }
        }
    }

    @Test
    void a_server_that_can_not_answer_or_is_silent_leaves_it_to_the_next() throws Exception {
        try (var real = new HostileNameServer(v4Only(a("api.up.test", "8.8.8.8", 60)))) {
            for (int rcode : new int[] {Rcode.SERVFAIL, Rcode.REFUSED, Rcode.NOTIMP, Rcode.FORMERR}) {
                try (var failing = new HostileNameServer((question, _) -> {
                    Message answer = answerTo(question);
                    answer.getHeader().setRcode(rcode);
                    return List.of(answer.toWire());
                })) {
                    assertThat(ask("api.up.test", failing, real)).isEqualTo(found(60, "8.8.8.8"));
                }
            }
            try (var silent = new HostileNameServer((_, _) -> List.of())) {
                assertThat(ask("api.up.test", silent, real)).isEqualTo(found(60, "8.8.8.8"));
                assertThat(ask("api.up.test", silent)).isEqualTo(NO_ANSWER);
            }
        }
    }

    @Test
    void no_such_name_is_an_answer_and_the_next_server_is_not_asked_for_a_better_one() throws Exception {
        try (var none = new HostileNameServer((question, _) -> {
                    Message answer = answerTo(question);
                    answer.getHeader().setRcode(Rcode.NXDOMAIN);
                    return List.of(answer.toWire());
                });
                var real = new HostileNameServer(v4Only(a("api.up.test", "8.8.8.8", 60)))) {
            assertThat(ask("api.up.test", none, real)).isEqualTo(new Answer.NotFound("no such name"));
            assertThat(real.asked()).isEmpty();
        }
    }

    /** Middle boxes that drop questions for AAAA must not cost every first request two seconds. */
    @Test
    void a_family_that_is_not_answered_is_waited_for_a_moment_only() throws Exception {
        try (var server = new HostileNameServer((question, _) -> v4(question)
                ? List.of(answerTo(question, a("api.up.test", "8.8.8.8", 60)).toWire())
                : List.of())) {
            long before = System.nanoTime();
            assertThat(ask("api.up.test", server)).isEqualTo(found(60, "8.8.8.8"));
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMillis(2500));
        }
    }

    @Test
    void a_time_to_live_that_can_not_be_is_kept_no_longer_than_others() throws Exception {
        try (var server = new HostileNameServer((question, _) -> {
            byte[] answer = answerTo(
                            question, v4(question) ? new Record[] {a("api.up.test", "8.8.8.8", 60)} : new Record[0])
                    .toWire();
            if (v4(question)) {
                // RFC 2181 section 8: the highest bit is never set.
                answer[answer.length - 10] = (byte) 0x80;
            }
            return List.of(answer);
        })) {
            assertThat(ask("api.up.test", server))
                    .isInstanceOfSatisfying(
                            Answer.Found.class,
                            found -> assertThat(new NetSettings(List.of()).kept(found.timeToLive()))
                                    .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(60)));
        }
    }

    @Test
    void a_name_with_thousands_of_addresses_has_none() throws Exception {
        List<Record> many = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            many.add(a("api.up.test", "8.8." + i / 250 + "." + i % 250, 60));
        }
        try (var server = new HostileNameServer((question, tcp) -> {
                    Message answer =
                            answerTo(question, tcp && v4(question) ? many.toArray(Record[]::new) : new Record[0]);
                    if (!tcp && v4(question)) {
                        answer.getHeader().setFlag(Flags.TC);
                    }
                    return List.of(answer.toWire());
                });
                NameServers names = new NameServers(List.of(server.address()))) {
            Resolver resolver = new CachingResolver(names, new NetSettings(List.of()), () -> 0);
            assertThat(resolver.resolve("api.up.test").toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .isEqualTo(new Resolver.Resolution.Failed("the name has more than 256 addresses"));
        }
    }

    @Test
    void asking_does_not_work_on_the_thread_of_whoever_asks() throws Exception {
        try (TestNameServer server = new TestNameServer(TestNameServer.Step.addresses(60, "8.8.8.8"));
                NameServers names = new NameServers(List.of(server.address()))) {
            String[] thread = new String[1];
            names.ask("api.up.test")
                    .thenAccept(_ -> thread[0] = Thread.currentThread().getName())
                    .get(5, TimeUnit.SECONDS);
            assertThat(thread[0]).isNotEqualTo(Thread.currentThread().getName());
        }
    }
}
