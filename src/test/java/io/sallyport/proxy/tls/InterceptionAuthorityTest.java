package io.sallyport.proxy.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.store.Seal;
import io.sallyport.store.StoreFault;
import io.sallyport.testing.TestStore;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class InterceptionAuthorityTest {

    private final MutableClock clock = new MutableClock(Instant.parse("2026-12-01T10:00:00Z"));
    private final SignableNames names = new SignableNames(Set.of("api.example.com"), Set.of());

    @RegisterExtension
    final TestStore store = new TestStore();

    private InterceptionAuthority open() {
        return open(store);
    }

    private InterceptionAuthority open(TestStore where) {
        return InterceptionAuthority.open(Chains.in(where), () -> names, Lifetimes.USUAL, clock);
    }

    private static X509Certificate root(InterceptionAuthority authority) {
        return Chains.read(authority.pem()).getFirst();
    }

    private List<X509Certificate> chain(InterceptionAuthority authority) {
        return new MintedLeaves(authority, clock, 10).leaf("api.example.com").chain();
    }

    @Test
    void the_root_is_the_same_after_a_restart() {
        X509Certificate first = root(open());
        clock.pass(Duration.ofDays(400));

        assertThat(root(open())).isEqualTo(first);
    }

    @Test
    void two_brokers_on_one_database_present_the_same_root_and_leaves_of_either_verify() throws Exception {
        InterceptionAuthority one = open();
        InterceptionAuthority other = open();

        assertThat(other.pem()).isEqualTo(one.pem());
        Chains.validate(chain(one), List.of(root(other)), clock.instant());
        Chains.validate(chain(other), List.of(root(one)), clock.instant());
        assertThat(chain(one).get(1))
                .as("the intermediate")
                .isEqualTo(chain(other).get(1));
    }

    @Test
    void keys_of_roots_and_intermediates_rest_sealed_and_bound_to_their_rows() {
        chain(open());
        for (String table : List.of("interception_authority", "interception_intermediate")) {
            store.readers().read(connection -> {
                try (ResultSet row = connection.createStatement().executeQuery("SELECT id, sealed_key FROM " + table)) {
                    assertThat(row.next()).isTrue();
                    String place = table.replace('_', '-') + "/" + row.getString(1);
                    byte[] key = store.seal().open(row.getBytes(2), place);
                    String sealed = new String(row.getBytes(2), StandardCharsets.ISO_8859_1);
                    assertThat(sealed).doesNotContain(new String(key, StandardCharsets.ISO_8859_1));
                    assertThatThrownBy(() -> store.seal().open(row.getBytes(2), place + "0"))
                            .isInstanceOf(StoreFault.class);
                    return null;
                }
            });
        }
    }

    @Test
    void a_root_sealed_with_another_key_is_a_fault_and_is_not_replaced() {
        X509Certificate root = root(open());

        try (TestStore other = TestStore.started()) {
            Seal otherKey = other.seal();
            assertThatThrownBy(() -> InterceptionAuthority.open(
                            new InterceptionAuthority.Store(store.writer(), store.readers(), otherKey),
                            () -> names,
                            Lifetimes.USUAL,
                            clock))
                    .isInstanceOf(StoreFault.class);
        }
        assertThat(root(open())).isEqualTo(root);
    }

    @Test
    void a_root_past_its_end_is_succeeded_at_the_next_start() {
        InterceptionAuthority old = open();
        X509Certificate before = root(old);
        clock.pass(Lifetimes.USUAL.authority().plusSeconds(1));

        assertThat(old.timeLeft()).isZero();
        assertThat(root(open())).isNotEqualTo(before);
        assertThat(open().timeLeft()).isPositive();
    }

    @Test
    void the_time_left_is_known_in_advance() {
        InterceptionAuthority authority = open();
        clock.pass(Lifetimes.USUAL.authority().minusDays(20));

        assertThat(authority.timeLeft()).isEqualTo(Duration.ofDays(20));
    }

    @Test
    void a_root_past_its_end_signs_nothing_and_is_published_no_more() {
        InterceptionAuthority authority = open();
        clock.pass(Lifetimes.USUAL.authority());

        assertThatThrownBy(() -> chain(authority))
                .isInstanceOf(AuthorityExpired.class)
                .hasMessageContaining("interception CA ended at");
        assertThat(authority.pem()).isEmpty();
    }

    @Test
    void the_root_may_sign_one_authority_below_it_and_certificates_alone() {
        X509Certificate root = root(open());

        assertThat(root.getBasicConstraints()).isOne();
        assertThat(root.getCriticalExtensionOIDs()).containsExactlyInAnyOrder("2.5.29.19", "2.5.29.15");
        boolean[] usage = root.getKeyUsage();
        assertThat(usage[5]).as("keyCertSign").isTrue();
        assertThat(usage[6]).as("cRLSign").isTrue();
        usage[5] = false;
        usage[6] = false;
        assertThat(Arrays.equals(usage, new boolean[usage.length])).isTrue();
        assertThat(root.getExtensionValue("2.5.29.14")).as("SKI").isNotNull();
    }

    @Test
    void two_brokers_have_two_roots_with_two_names() {
        try (TestStore other = TestStore.started()) {
            assertThat(root(open()).getSubjectX500Principal())
                    .isNotEqualTo(root(open(other)).getSubjectX500Principal());
        }
    }

    @Test
    void the_pem_is_the_root_in_lines_of_64() {
        assertThat(Chains.read(open().pem())).hasSize(1);
        assertThat(open().pem().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(64));
    }

    /** The database of a broker from before intermediates holds a root that leaves no room for one below it. */
    @Test
    void a_root_without_room_for_an_authority_below_it_signs_leaves_itself() throws Exception {
        open();
        var keys = Certificates.newKeys();
        var self = new Certificates.Validity(clock.instant(), clock.instant().plus(Duration.ofDays(100)));
        X509Certificate narrow = LegacyRoot.certificate(keys, self);
        store.writer().write(tx -> {
            tx.prepare("DELETE FROM interception_authority").executeUpdate();
            var root = new Root(JdbcAuthorities.id(narrow), narrow, clock.instant(), clock.instant(), null);
            new JdbcAuthorities(store.seal()).add(tx, root, keys.getPrivate());
            return root;
        });

        InterceptionAuthority authority = open();

        assertThat(root(authority)).isEqualTo(narrow);
        assertThat(chain(authority)).hasSize(1);
        Chains.validate(chain(authority), List.of(narrow), clock.instant());
    }
}
