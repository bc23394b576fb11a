package io.sallyport.credential;

import static io.sallyport.credential.TestCredentials.BEARER;
import static io.sallyport.credential.TestCredentials.compiled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sallyport.credential.Leases.Leasing;
import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.Material;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.document.Keys;
import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Origin;
import io.sallyport.http.RequestHead;
import io.sallyport.http.Target;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class CredentialLeasesTest {

    private static final Origin API = Origin.parse("https://api.example.com").orElseThrow();
    private static final Map<String, Object> LOCAL = Map.of("kind", "local");

    private final FakeGrants grants = new FakeGrants();
    private final Grant grant = FakeGrants.grant("g1");
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private final Credential bearer = compiled(LOCAL, BEARER);
    private @Nullable String secret = "first-secret";
    private boolean faulty;
    private int readings;
    private long now = 1;
    private final CredentialLeases leases = new CredentialLeases(
            TestSources.warm(TestSources.tools(this::read), waiting::add, () -> now), grants, Clock.systemUTC());

    private Fetched read(String credential, String face, @Nullable Object known) throws SourceFault {
        readings++;
        if (faulty) {
            throw new IllegalStateException("near first-secret");
        }
        if (secret == null) {
            throw SourceFault.missing("no secret has been entered");
        }
        return secret.equals(known)
                ? new Fetched.Unchanged(Duration.ofSeconds(1))
                : Fetched.given(Material.of(secret.getBytes(StandardCharsets.US_ASCII)), secret, Duration.ofSeconds(1));
    }

    private CompletableFuture<Leasing> ask(Credential credential) {
        return leases.lease(credential, API, grant).toCompletableFuture();
    }

    private Leasing leasing(Credential credential) {
        CompletableFuture<Leasing> asked = ask(credential);
        while (!waiting.isEmpty()) {
            waiting.remove().run();
        }
        return asked.join();
    }

    private Lease leased(Credential credential) {
        return ((Leasing.Leased) leasing(credential)).lease();
    }

    /** What the fields of a request become. */
    static Fields put(Lease lease, Fields fields) {
        RequestHead head =
                new RequestHead("GET", API, Target.parse("/v1").orElseThrow(), fields, new Framing.None(), false);
        return ((Injected.Done) lease.inject(head, head)).head().fields();
    }

    private static String cause(Leasing leasing) {
        return ((Leasing.Unavailable) leasing).cause();
    }

    @Test
    void the_secret_stands_in_exactly_one_sensitive_field_in_place_of_any_of_that_name() {
        Fields fields = Fields.of("authorization", "Bearer agents-own", "Accept", "*/*", "AUTHORIZATION", "Basic x");

        Fields injected = put(leased(bearer), fields);

        assertThat(injected)
                .containsExactly(new Field("Accept", "*/*"), new Field("Authorization", "Bearer first-secret", true));
    }

    @Test
    void basic_and_header_stand_as_their_documents_say() {
        var basic = compiled(LOCAL, Map.of("kind", "basic", "user", "bot"));
        var header = compiled(LOCAL, Map.of("kind", "header", "name", "X-Auth", "template", "token {secret}!"));
        String pair = Base64.getEncoder().encodeToString("bot:first-secret".getBytes(StandardCharsets.US_ASCII));

        assertThat(put(leased(basic), Fields.EMPTY)).containsExactly(new Field("Authorization", "Basic " + pair, true));
        assertThat(put(leased(header), Fields.EMPTY)).containsExactly(new Field("X-Auth", "token first-secret!", true));
    }

    @Test
    void an_origin_that_is_not_a_destination_gets_nothing_and_the_source_is_not_even_asked() {
        for (String other : List.of("http://api.example.com", "https://evil.example", "https://api.example.com:8443")) {
            Leasing leasing = leases.lease(bearer, Origin.parse(other).orElseThrow(), grant)
                    .toCompletableFuture()
                    .join();
            assertThat(cause(leasing)).contains("'acme'").contains("not among its destinations");
        }
        assertThat(readings).isZero();
    }

    @Test
    void a_warm_secret_is_leased_at_once_and_the_source_is_asked_again_after_a_second() {
        leased(bearer);
        assertThat(ask(bearer)).isCompleted();
        assertThat(readings).isOne();

        now += Duration.ofSeconds(1).toNanos();
        secret = "second-secret";
        assertThat(put(leased(bearer), Fields.EMPTY).first("Authorization")).contains("Bearer second-secret");
        assertThat(readings).isEqualTo(2);
    }

    @Test
    void an_unchanged_secret_stays_usable_second_after_second() {
        for (int second = 0; second < 5; second++) {
            assertThat(put(leased(bearer), Fields.EMPTY).first("Authorization")).contains("Bearer first-secret");
            now += Duration.ofSeconds(1).toNanos();
        }
    }

    @Test
    void many_who_wait_for_a_cold_secret_cause_one_reading() {
        List<CompletableFuture<Leasing>> all = List.of(ask(bearer), ask(bearer), ask(bearer));
        assertThat(waiting).hasSize(1);

        waiting.remove().run();

        assertThat(all).allSatisfy(one -> assertThat(one.join()).isInstanceOf(Leasing.Leased.class));
    }

    @Test
    void the_log_is_told_once_of_a_lack_and_again_when_it_comes_back() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(WarmSecrets.class);
        logger.addAppender(log);
        try {
            for (String there : new @Nullable String[] {null, null, null, "first-secret", null, null}) {
                secret = there;
                leasing(bearer);
                now += TimeUnit.SECONDS.toNanos(2);
            }
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .hasSize(2)
                .allMatch(line ->
                        line.equals("the credential " + bearer.name() + " is unavailable: no secret has been entered"));
    }

    @Test
    void a_lack_is_believed_for_a_second_too() {
        secret = null;
        assertThat(cause(leasing(bearer))).isEqualTo("credential 'acme': no secret has been entered");
        secret = "first-secret";
        assertThat(ask(bearer).join()).isInstanceOf(Leasing.Unavailable.class);

        now += Duration.ofSeconds(1).toNanos();
        assertThat(leasing(bearer)).isInstanceOf(Leasing.Leased.class);
    }

    @Test
    void a_source_that_fails_refuses_and_its_message_goes_nowhere() {
        faulty = true;

        assertThat(cause(leasing(bearer)))
                .contains("its source failed (IllegalStateException)")
                .doesNotContain("first-secret");
        assertThat(leases.whyUnavailable(bearer).toCompletableFuture().join()).isPresent();
    }

    @Test
    void a_changed_document_is_not_served_what_was_read_for_the_one_before() {
        leased(bearer);
        var changed = compiled(LOCAL, Map.of("kind", "header", "name", "X-Key"));

        assertThat(put(leased(changed), Fields.EMPTY)).containsExactly(new Field("X-Key", "first-secret", true));
        assertThat(readings).isEqualTo(2);
    }

    @Test
    void the_end_of_a_grant_takes_the_secret_from_its_leases_and_from_no_others() {
        Lease mine = leased(bearer);
        Lease others = ((Leasing.Leased) leases.lease(bearer, API, FakeGrants.grant("g2"))
                        .toCompletableFuture()
                        .join())
                .lease();

        grants.endInMemory(List.of(grant), EndReason.REVOKED);

        assertThatThrownBy(() -> put(mine, Fields.EMPTY)).hasMessageContaining("'acme' is closed");
        assertThat(put(others, Fields.EMPTY).has("Authorization")).isTrue();
        assertThat(cause(leasing(bearer))).contains("has ended");
    }

    @Test
    void a_grant_that_ends_between_the_entry_and_the_last_look_gets_no_lease() {
        grants.beforeLook = () -> {
            grants.beforeLook = () -> {};
            grants.endInMemory(List.of(grant), EndReason.REVOKED);
        };

        assertThat(leasing(bearer)).isInstanceOf(Leasing.Unavailable.class);
        assertThat(leases.open()).isZero();
    }

    @Test
    void closing_is_idempotent_and_leaves_nothing_behind() {
        Lease one = leased(bearer);
        Lease two = leased(bearer);
        one.close();
        one.close();

        assertThat(put(two, Fields.EMPTY).first("Authorization")).contains("Bearer first-secret");
        two.close();
        assertThat(leases.open()).isZero();
    }

    @Test
    void a_lease_outlives_the_rotation_of_its_secret() {
        Lease old = leased(bearer);
        now += Duration.ofSeconds(1).toNanos();
        secret = "second-secret";
        leased(bearer);

        assertThat(put(old, Fields.EMPTY).first("Authorization")).contains("Bearer first-secret");
    }

    @Test
    void an_answer_is_scrubbed_to_its_end_also_when_its_lease_is_closed_meanwhile() {
        Lease lease = leased(bearer);
        Scrubber scrubber = leases.scrubber(List.of(lease));
        lease.close();

        assertThat(scrubber.text("Bearer first-secret")).isEqualTo("Bearer ************");
        assertThat(leases.scrubber(List.of(lease)).text("first-secret")).isEqualTo("************");
    }

    @Test
    void an_answer_to_a_request_with_two_credentials_is_scrubbed_of_both() {
        Lease one = leased(bearer);
        now += Duration.ofSeconds(1).toNanos();
        secret = "other-secret-value";
        Lease two = leased(compiled(LOCAL, Map.of("kind", "header", "name", "X-Key")));

        assertThat(leases.scrubber(List.of(one, two)).text("first-secret other-secret-value"))
                .isEqualTo("************ ******************");
    }

    /** A destination that takes both for a while may name either, whichever it was sent. */
    @Test
    void while_a_secret_is_rotated_the_old_and_the_new_one_are_masked() {
        Lease old = leased(bearer);
        now += Duration.ofSeconds(1).toNanos();
        secret = "other-secret-value";
        Lease fresh = leased(bearer);

        for (Lease lease : List.of(old, fresh)) {
            assertThat(leases.scrubber(List.of(lease)).text("first-secret other-secret-value"))
                    .isEqualTo("************ ******************");
        }
    }

    @Test
    void an_answer_to_a_request_without_credentials_passes_as_it_is() {
        Scrubber scrubber = leases.scrubber(List.of());
        ByteBuffer content = ByteBuffer.wrap("first-secret".getBytes(StandardCharsets.US_ASCII));

        assertThat(StandardCharsets.US_ASCII
                        .decode(scrubber.push(content, true))
                        .toString())
                .isEqualTo("first-secret");
        assertThat(scrubber.text("first-secret")).isEqualTo("first-secret");
        assertThat(scrubber.masked()).isFalse();
    }

    @Test
    void nothing_that_holds_a_secret_says_it() {
        Lease lease = leased(bearer);

        assertThat(List.of(lease, bearer, put(lease, Fields.EMPTY), leases.scrubber(List.of(lease)))
                        .toString())
                .doesNotContain("first-secret");
    }

    @Test
    void a_credential_that_no_document_made_is_refused() {
        Credential foreign = new Credential() {
            @Override
            public String name() {
                return "foreign";
            }

            @Override
            public List<io.sallyport.http.Destination> destinations() {
                return bearer.destinations();
            }

            @Override
            public BlastRadius blastRadius() {
                return BlastRadius.LOW;
            }

            @Override
            public java.util.Set<String> slots() {
                return bearer.slots();
            }

            @Override
            public String sourceKind() {
                return "local";
            }

            @Override
            public Optional<Credential> narrowed(Keys keys) {
                return Optional.empty();
            }

            @Override
            public String version() {
                return bearer.version();
            }
        };

        assertThatThrownBy(() -> leases.lease(foreign, API, grant)).isInstanceOf(IllegalArgumentException.class);
    }
}
