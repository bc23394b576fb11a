package io.sallyport.credential;

import static io.sallyport.credential.TestCredentials.BEARER;
import static io.sallyport.credential.TestCredentials.compiled;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sallyport.credential.FakeIssuer.Trouble;
import io.sallyport.credential.source.Fetch;
import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.Pauses;
import io.sallyport.credential.source.RefreshTokens;
import io.sallyport.credential.source.SecretFolder;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.credential.source.SourceTools;
import io.sallyport.testing.TestClock;
import io.sallyport.testing.TestStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** A refresh token that a person entered, at an issuer that rotates it and takes reuse for theft. */
class RefreshTokenTest {

    private static final String FIRST = "first-refresh-t0ken";

    @RegisterExtension
    final TestStore store = new TestStore();

    private final TestClock clock = new TestClock();
    private final FakeIssuer issuer = new FakeIssuer(clock);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger root = (Logger) LoggerFactory.getLogger("io.sallyport");
    private JdbcLocalSecrets local;
    private SourceTools tools;
    private CompiledCredential credential;

    @BeforeEach
    void setUp() throws IOException {
        local = new JdbcLocalSecrets(store.readers(), store.seal(), clock);
        tools = node();
        credential = document();
        log.start();
        root.addAppender(log);
        issuer.grant(FIRST);
        enter(FIRST);
    }

    @AfterEach
    void tearDown() {
        root.detachAppender(log);
    }

    /** A broker on the same database. */
    private SourceTools node() {
        return new SourceTools(
                local,
                new JdbcRefreshTokens(store.readers(), store.writer(), store.seal(), clock),
                new Pauses(clock),
                new SecretFolder(Path.of("no-such-folder")),
                name -> FakeIssuer.SECRET,
                issuer,
                clock,
                TestSources.noVault());
    }

    private static CompiledCredential document(Object... more) {
        Map<String, Object> source = new HashMap<>(Map.of(
                "kind",
                "oauth-refresh-token",
                "token-endpoint",
                FakeIssuer.TOKEN.toString(),
                "client-id",
                FakeIssuer.CLIENT,
                "client-secret",
                Map.of("kind", "env", "name", "SALLYPORT_SECRET_CLIENT")));
        for (int i = 0; i < more.length; i += 2) {
            source.put((String) more[i], more[i + 1]);
        }
        return (CompiledCredential) compiled(source, BEARER);
    }

    private void enter(String token) throws IOException {
        LocalSecrets.Entry.Taken taken = (LocalSecrets.Entry.Taken)
                local.seal(credential, new ByteArrayInputStream(token.getBytes(StandardCharsets.US_ASCII)));
        store.writer().write(tx -> {
            local.put(tx, taken.secret(), "kim");
            return null;
        });
    }

    private String text() {
        return TestSources.text(credential, null, tools);
    }

    private Fetched.Given given(@Nullable Object known) throws SourceFault {
        return (Fetched.Given) TestSources.fetched(credential, known, tools);
    }

    private List<String> alarms() {
        return log.list.stream()
                .filter(event -> event.getLevel() == Level.ERROR)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void each_answer_brings_the_next_and_none_is_shown_twice() {
        for (int i = 0; i < 5; i++) {
            assertThat(text()).startsWith("Qm7xZt9vKr3-access-");
            clock.pass(Duration.ofHours(1));
        }
        assertThat(issuer.asked()).hasSize(5);
        assertThat(issuer.reuses).isZero();
    }

    @Test
    void what_an_answer_gave_is_used_while_it_is_young_and_after_a_restart_too() throws SourceFault {
        Fetched.Given first = given(null);
        assertThat(TestSources.fetched(credential, first.stamp(), tools)).isInstanceOf(Fetched.Unchanged.class);

        store.reopen();
        local = new JdbcLocalSecrets(store.readers(), store.seal(), clock);
        tools = node();

        assertThat(given(null).stamp()).isEqualTo(first.stamp());
        assertThat(text()).isEqualTo("Qm7xZt9vKr3-access-2");
        assertThat(issuer.asked()).hasSize(1);

        clock.pass(Duration.ofMinutes(40));
        assertThat(text()).isEqualTo("Qm7xZt9vKr3-access-4");
    }

    @Test
    void one_that_a_destination_refused_is_not_given_again() throws Exception {
        Fetched.Given first = given(null);
        Fetch refused = new Fetch(credential.name(), credential.faceDigest(), first.stamp(), true, null, tools);

        Fetched.Given next = (Fetched.Given) credential.source().fetch(refused);

        assertThat(next.stamp()).isNotEqualTo(first.stamp());
        // Another node that held the first one too, and was refused: it gets what this one had.
        assertThat(credential.source().fetch(refused)).isInstanceOf(Fetched.Given.class);
        assertThat(issuer.asked()).hasSize(2);
    }

    @Test
    void an_issuer_that_does_not_rotate_gets_the_entered_one_each_time() {
        issuer.rotates = false;
        for (int i = 0; i < 3; i++) {
            assertThat(text()).startsWith("Qm7xZt9vKr3-access-");
            clock.pass(Duration.ofHours(1));
        }
    }

    @Test
    void a_public_client_shows_its_id_alone() throws IOException {
        credential = (CompiledCredential) compiled(
                Map.of(
                        "kind", "oauth-refresh-token",
                        "token-endpoint", FakeIssuer.TOKEN.toString(),
                        "client-id", "public",
                        "client-auth", "none"),
                BEARER);
        enter(FIRST);

        assertThat(text()).startsWith("Qm7xZt9vKr3-access-");
    }

    @Test
    void a_refused_token_is_never_shown_again_and_one_alarm_says_what_to_do() throws IOException {
        issuer.grant("another-one");

        for (int i = 0; i < 5; i++) {
            assertThat(text())
                    .isEqualTo(
                            "failed: its token endpoint no longer takes its refresh token (invalid_grant); a new one must be entered");
            clock.pass(Duration.ofMinutes(1));
        }

        assertThat(issuer.asked()).hasSize(1);
        assertThat(alarms()).singleElement().asString().contains("acme").contains("must be entered");

        enter("another-one");
        assertThat(text()).startsWith("Qm7xZt9vKr3-access-");
    }

    @Test
    void an_issuer_that_was_never_reached_used_nothing_up() {
        issuer.trouble(Trouble.UNSENT, Trouble.UNSENT, Trouble.UNSENT, Trouble.UNSENT);

        for (int i = 0; i < 4; i++) {
            assertThat(text()).isEqualTo("failed: its token endpoint gave no answer (ConnectException)");
            clock.pass(Duration.ofHours(1));
        }
        assertThat(text()).startsWith("Qm7xZt9vKr3-access-");
        assertThat(issuer.reuses).isZero();
        assertThat(alarms()).isEmpty();
    }

    @Test
    void one_that_asks_to_wait_used_nothing_up() {
        issuer.answer(503, "", "Retry-After", "60");
        assertThat(text()).startsWith("failed: its token endpoint has asked to wait");

        clock.pass(Duration.ofMinutes(30));
        assertThat(text()).startsWith("Qm7xZt9vKr3-access-");
    }

    @Test
    void after_a_lost_answer_it_is_shown_once_more_while_the_issuer_forgives_it() {
        issuer.grace = Duration.ofSeconds(30);
        issuer.trouble(Trouble.ANSWER_LOST);

        assertThat(text()).startsWith("Qm7xZt9vKr3-access-");
        assertThat(issuer.asked()).hasSize(2);
        assertThat(issuer.reuses).isZero();
    }

    @Test
    void a_request_that_was_lost_on_its_way_is_repeated_once() {
        issuer.trouble(Trouble.NEVER_ARRIVED);

        assertThat(text()).startsWith("Qm7xZt9vKr3-access-");
        assertThat(alarms()).isEmpty();
    }

    @Test
    void after_two_lost_answers_it_is_never_shown_again_and_one_alarm_says_so() {
        issuer.grace = Duration.ofSeconds(30);
        issuer.trouble(Trouble.ANSWER_LOST, Trouble.ANSWER_LOST);

        for (int i = 0; i < 3; i++) {
            assertThat(text()).contains("was lost").contains("a new one must be entered");
            clock.pass(Duration.ofMinutes(1));
        }
        assertThat(issuer.asked()).hasSize(2);
        assertThat(alarms()).hasSize(1);
    }

    @Test
    void where_the_issuer_forgives_nothing_a_lost_answer_is_the_end_and_no_reuse() throws IOException {
        credential = document("reuse-grace", "0s");
        issuer.trouble(Trouble.ANSWER_LOST);

        assertThat(text()).contains("was lost");
        assertThat(issuer.asked()).hasSize(1);
        assertThat(issuer.reuses).isZero();
    }

    @Test
    void what_is_held_lives_on_after_a_lost_answer_to_its_end() throws SourceFault {
        given(null);
        credential = document("reuse-grace", "0s");
        clock.pass(Duration.ofMinutes(50));
        issuer.trouble(Trouble.ANSWER_LOST);

        assertThat(text()).isEqualTo("Qm7xZt9vKr3-access-2");
        assertThat(alarms()).hasSize(1);
        clock.pass(Duration.ofMinutes(15));
        assertThat(text()).contains("was lost");
    }

    @Test
    void where_tokens_do_not_rotate_a_lost_answer_is_an_outage_like_any_other() {
        credential = document("rotates", false);
        issuer.rotates = false;
        issuer.trouble(Trouble.ANSWER_LOST, Trouble.ANSWER_LOST);

        assertThat(text()).startsWith("failed: its token endpoint gave no answer");
        assertThat(text()).startsWith("failed: its token endpoint gave no answer");
        assertThat(text()).startsWith("Qm7xZt9vKr3-access-");
    }

    @Test
    void who_crashed_with_one_in_use_tries_it_once_more_within_the_grace_and_never_later() {
        RefreshTokens tokens = tools.refreshTokens();
        String entry = revision();
        assertThat(tokens.claim(tokens.read("acme", entry))).isNotNull();
        clock.pass(Duration.ofSeconds(15));
        assertThat(text()).startsWith("Qm7xZt9vKr3-access-");

        clock.pass(Duration.ofHours(1));
        assertThat(tokens.claim(tokens.read("acme", entry))).isNotNull();
        clock.pass(Duration.ofSeconds(31));
        assertThat(text()).contains("was lost");
        assertThat(issuer.asked()).hasSize(1);
    }

    private String revision() {
        return store.readers().read(connection -> {
            try (var rows = connection.createStatement().executeQuery("SELECT revision FROM local_secret")) {
                rows.next();
                return rows.getString(1);
            }
        });
    }

    @Test
    void of_two_who_saw_the_same_token_one_takes_it() {
        RefreshTokens tokens = tools.refreshTokens();
        RefreshTokens.Chain seen = tokens.read("acme", revision());

        assertThat(tokens.claim(seen)).isNotNull();
        assertThat(node().refreshTokens().claim(seen)).isNull();
    }

    @Test
    void who_works_on_a_token_that_was_replaced_meanwhile_changes_nothing() throws IOException {
        RefreshTokens tokens = tools.refreshTokens();
        RefreshTokens.Chain seen = tokens.read("acme", revision());
        RefreshTokens.Chain claimed = tokens.claim(seen);
        enter("entered-meanwhile");

        assertThat(tokens.claim(tokens.read("acme", seen.entry()))).isNull();
        issuer.grant("entered-meanwhile");
        assertThat(text()).startsWith("Qm7xZt9vKr3-access-");
        assertThat(tokens.settle(claimed, RefreshTokens.State.REFUSED)).isFalse();
        assertThat(tokens.answered(
                        claimed, null, new RefreshTokens.Access(new byte[] {1}, clock.instant(), clock.instant())))
                .isNull();
        assertThat(text()).startsWith("Qm7xZt9vKr3-access-");
    }

    @Test
    void sent_to_another_token_endpoint_it_must_be_entered_anew() {
        credential = document("token-endpoint", "https://evil.test/token");

        assertThat(text()).contains("it must be entered anew");
        assertThat(issuer.asked()).isEmpty();
    }

    @Test
    void neither_store_nor_log_has_a_token_in_the_clear() throws IOException {
        issuer.trouble(Trouble.ANSWER_LOST);
        issuer.grace = Duration.ofSeconds(30);
        String access = text();
        clock.pass(Duration.ofHours(1));
        text();

        try (Stream<Path> files = Files.walk(store.data())) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .doesNotContain(access, FIRST, "refresh-token-", "Qm7xZt9vKr3-access-");
            }
        }
        assertThat(log.list.toString()).doesNotContain("-access-", "-token-1", FIRST, FakeIssuer.SECRET);
    }

    /** RW-82, scaled down: two brokers, 50 requests a second, an access token that lives two seconds. */
    @Test
    void two_brokers_under_load_never_show_one_twice_and_no_request_is_refused() throws Exception {
        issuer.expiresIn = 2;
        AtomicInteger refused = new AtomicInteger();
        AtomicInteger requests = new AtomicInteger();
        Map<String, Boolean> seen = new ConcurrentHashMap<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (SourceTools node : List.of(tools, node())) {
                running.add(threads.submit(() -> {
                    Fetched.Given held = null;
                    long until = 0;
                    while (System.nanoTime() < end) {
                        if (held == null || System.nanoTime() >= until) {
                            long asked = System.nanoTime();
                            Fetched answer = TestSources.fetched(credential, held == null ? null : held.stamp(), node);
                            held = answer instanceof Fetched.Given given ? given : held;
                            until = asked + answer.lives().toNanos();
                        }
                        String access = new String(
                                held.material().part("secret").orElseThrow().bytes(), StandardCharsets.UTF_8);
                        seen.put(access, true);
                        requests.incrementAndGet();
                        if (!issuer.accepts(access)) {
                            refused.incrementAndGet();
                        }
                        // The pace of the load: nothing is waited for.
                        Thread.sleep(40);
                    }
                    return null;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }

        assertThat(issuer.reuses).isZero();
        assertThat(refused).hasValue(0);
        assertThat(requests.get()).isGreaterThan(100);
        assertThat(seen).hasSizeGreaterThan(3);
        // One answer for both: the one who did not ask reads what the other was given.
        assertThat(issuer.asked()).hasSize(seen.size());
        assertThat(alarms()).isEmpty();
    }
}
