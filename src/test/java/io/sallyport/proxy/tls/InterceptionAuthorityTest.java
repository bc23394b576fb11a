package io.sallyport.proxy.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.store.Seal;
import io.sallyport.store.StoreFault;
import io.sallyport.testing.TestStore;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class InterceptionAuthorityTest {

    private final MutableClock clock = new MutableClock(Instant.parse("2026-12-01T10:00:00Z"));

    @RegisterExtension
    final TestStore store = new TestStore();

    private InterceptionAuthority open() {
        return InterceptionAuthority.open(store.writer(), store.seal(), Lifetimes.USUAL, clock);
    }

    @Test
    void the_root_is_the_same_after_a_restart() {
        X509Certificate first = open().certificate();
        clock.pass(Duration.ofDays(400));

        assertThat(open().certificate()).isEqualTo(first);
    }

    @Test
    void leaves_signed_after_a_restart_verify_against_the_root_from_before() throws Exception {
        X509Certificate root = open().certificate();

        X509Certificate leaf =
                open().issue("api.example.com", Certificates.newKeys().getPublic());

        leaf.verify(root.getPublicKey());
    }

    @Test
    void the_roots_key_rests_sealed_and_bound_to_its_row() throws Exception {
        open();
        store.readers().read(connection -> {
            try (ResultSet row =
                    connection.createStatement().executeQuery("SELECT id, sealed_key FROM interception_authority")) {
                row.next();
                byte[] key = store.seal().open(row.getBytes(2), "interception-authority/" + row.getString(1));
                String sealed = new String(row.getBytes(2), StandardCharsets.ISO_8859_1);
                assertThat(sealed).doesNotContain(new String(key, StandardCharsets.ISO_8859_1));
                return null;
            }
        });
    }

    @Test
    void a_root_sealed_with_another_key_is_a_fault_and_is_not_replaced() throws Exception {
        X509Certificate root = open().certificate();

        try (TestStore other = TestStore.started()) {
            Seal otherKey = other.seal();
            assertThatThrownBy(() -> InterceptionAuthority.open(store.writer(), otherKey, Lifetimes.USUAL, clock))
                    .isInstanceOf(StoreFault.class);
        }
        assertThat(open().certificate()).isEqualTo(root);
    }

    @Test
    void a_root_past_its_end_is_succeeded_at_the_next_start() {
        InterceptionAuthority old = open();
        clock.pass(Lifetimes.USUAL.authority().plusSeconds(1));

        assertThat(old.timeLeft()).isNegative();
        assertThat(open().certificate()).isNotEqualTo(old.certificate());
        assertThat(open().timeLeft()).isPositive();
    }

    @Test
    void the_time_left_is_known_in_advance() {
        InterceptionAuthority authority = open();
        clock.pass(Lifetimes.USUAL.authority().minusDays(20));

        assertThat(authority.timeLeft()).isEqualTo(Duration.ofDays(20));
    }

    @Test
    void a_root_past_its_end_signs_nothing() {
        InterceptionAuthority authority = open();
        clock.pass(Lifetimes.USUAL.authority());

        assertThatThrownBy(() ->
                        authority.issue("a.example", Certificates.newKeys().getPublic()))
                .isInstanceOf(AuthorityExpired.class)
                .hasMessageContaining("interception CA ended at");
    }

    @Test
    void the_root_may_sign_leaves_and_nothing_else() {
        X509Certificate root = open().certificate();

        assertThat(root.getBasicConstraints()).isZero();
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
            X509Certificate one = open().certificate();
            X509Certificate two = InterceptionAuthority.open(other.writer(), other.seal(), Lifetimes.USUAL, clock)
                    .certificate();

            assertThat(one.getSubjectX500Principal()).isNotEqualTo(two.getSubjectX500Principal());
        }
    }

    @Test
    void the_pem_reads_back_as_the_root() throws Exception {
        InterceptionAuthority authority = open();
        var in = new ByteArrayInputStream(authority.pem().getBytes(StandardCharsets.US_ASCII));

        assertThat(CertificateFactory.getInstance("X.509").generateCertificate(in))
                .isEqualTo(authority.certificate());
        assertThat(authority.pem().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(64));
    }
}
