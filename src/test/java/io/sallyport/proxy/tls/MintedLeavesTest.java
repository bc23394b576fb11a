package io.sallyport.proxy.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.testing.TestStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MintedLeavesTest {

    static final String LONG_HOST = "a-long-bucket-name-for-agent-uploads.0123456789abcdef0123456789abcdef.up.test";
    private static final String LONGEST_HOST =
            String.join(".", "a".repeat(63), "b".repeat(63), "c".repeat(63), "d".repeat(61));

    private static final SignableNames NAMES =
            new SignableNames(Set.of("192.0.2.7", "2001:db8::1", LONG_HOST, LONGEST_HOST), Set.of("example.com"));

    private final MutableClock clock = new MutableClock(Instant.parse("2026-12-01T10:00:00Z"));
    private final TestStore store = TestStore.started();
    private final InterceptionAuthority authority =
            InterceptionAuthority.open(Chains.in(store), () -> NAMES, Lifetimes.USUAL, clock);
    private final MintedLeaves leaves = new MintedLeaves(authority, clock, 100);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void a_leaf_has_what_strict_verifiers_look_for() throws Exception {
        List<X509Certificate> chain = leaves.leaf("api.example.com").chain();
        X509Certificate leaf = chain.getFirst();

        validateAt("api.example.com", clock.instant());
        assertThat(leaf.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(leaf.getBasicConstraints()).as("not a CA").isEqualTo(-1);
        assertThat(leaf.getKeyUsage()[0]).as("digitalSignature").isTrue();
        assertThat(keyIdentifier(leaf)).as("own SKI").isNotEqualTo(keyIdentifier(chain.getLast()));
        AuthorityKeyIdentifier aki = AuthorityKeyIdentifier.getInstance(
                JcaX509ExtensionUtils.parseExtensionValue(leaf.getExtensionValue("2.5.29.35")));
        assertThat(aki.getKeyIdentifierOctets()).isEqualTo(keyIdentifier(chain.getLast()));
    }

    @Test
    void a_leaf_is_for_exactly_one_name() throws Exception {
        assertThat(names(leaves.leaf("api.example.com"))).containsExactly(List.of(2, "api.example.com"));
        assertThat(names(leaves.leaf("192.0.2.7"))).containsExactly(List.of(7, "192.0.2.7"));
        assertThat(names(leaves.leaf("2001:db8::1"))).containsExactly(List.of(7, "2001:db8:0:0:0:0:0:1"));
    }

    @Test
    void a_host_name_longer_than_a_common_name_may_be_stands_whole_in_a_critical_san() throws Exception {
        for (String host : List.of(LONG_HOST, LONGEST_HOST)) {
            X509Certificate leaf = leaves.leaf(host).certificate();

            validateAt(host, clock.instant());
            assertThat(leaf.getSubjectX500Principal().getName()).isEmpty();
            assertThat(leaf.getCriticalExtensionOIDs()).contains("2.5.29.17");
            assertThat(names(leaves.leaf(host))).containsExactly(List.of(2, host));
        }
    }

    /** OpenSSL would take an address in a common name for a host's name, and find it outside the constraint. */
    @Test
    void a_leaf_for_an_address_has_no_common_name() {
        for (String address : List.of("192.0.2.7", "2001:db8::1")) {
            X509Certificate leaf = leaves.leaf(address).certificate();
            assertThat(leaf.getSubjectX500Principal().getName()).isEmpty();
            assertThat(leaf.getCriticalExtensionOIDs()).contains("2.5.29.17");
        }
    }

    @Test
    void a_leaf_lives_less_than_398_days_and_never_longer_than_its_issuers() {
        X509Certificate leaf = leaves.leaf("api.example.com").certificate();
        assertThat(Duration.between(
                        leaf.getNotBefore().toInstant(), leaf.getNotAfter().toInstant()))
                .isLessThan(Duration.ofDays(398));

        clock.pass(Lifetimes.USUAL.authority().minusDays(3));
        List<X509Certificate> late = leaves.leaf("late.example.com").chain();
        assertThat(late)
                .allSatisfy(one -> assertThat(one.getNotAfter())
                        .isEqualTo(Chains.read(authority.pem()).getFirst().getNotAfter()));
    }

    @Test
    void the_cache_is_bounded_whatever_agents_ask_for() {
        MintedLeaves few = new MintedLeaves(authority, clock, 10);
        for (int i = 0; i < 500; i++) {
            few.leaf("h" + i + ".example.com");
        }
        assertThat(few.held()).isLessThanOrEqualTo(10);
    }

    @Test
    void serials_are_positive_unique_and_long() {
        Set<Object> serials = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            var serial = leaves.leaf("h" + i + ".example.com").certificate().getSerialNumber();
            assertThat(serial.signum()).isOne();
            assertThat(serial.bitLength()).isBetween(65, 128);
            serials.add(serial);
        }
        assertThat(serials).hasSize(200);
    }

    @Test
    void the_handshake_never_gets_an_expired_leaf() {
        leaves.leaf("api.example.com");
        clock.pass(Lifetimes.USUAL.intermediate());

        assertThat(leaves.cached("api.example.com")).isEmpty();
        assertThat(leaves.cached("never-seen.example.com")).isEmpty();
    }

    @Test
    void what_the_roots_end_cut_short_is_minted_once() {
        clock.pass(Lifetimes.USUAL.authority().minusHours(1));
        Leaf first = leaves.leaf("api.example.com");
        clock.pass(Duration.ofMinutes(59));

        assertThat(leaves.leaf("api.example.com")).isSameAs(first);
    }

    @Test
    void lives_of_two_minutes_are_renewed_silently() throws Exception {
        var shortLives = new Lifetimes(Duration.ofMinutes(20), Duration.ofMinutes(4), Duration.ofMinutes(2));
        try (TestStore own = TestStore.started()) {
            var root = InterceptionAuthority.open(Chains.in(own), () -> NAMES, shortLives, clock);
            var minted = new MintedLeaves(root, clock, 10);
            List<X509Certificate> trusted = Chains.read(root.pem());
            for (int i = 0; i < 60; i++) {
                Chains.validate(minted.leaf("api.example.com").chain(), trusted, clock.instant());
                clock.pass(Duration.ofSeconds(19));
            }
            clock.pass(Duration.ofMinutes(1));
            assertThatThrownBy(() -> minted.leaf("api.example.com")).isInstanceOf(AuthorityExpired.class);
        }
    }

    @Test
    void many_connections_to_a_new_host_share_one_minting() throws Exception {
        int callers = 16;
        CountDownLatch ready = new CountDownLatch(callers);
        try (var threads = Executors.newFixedThreadPool(callers)) {
            List<Future<Leaf>> all = IntStream.range(0, callers)
                    .mapToObj(i -> threads.submit(() -> {
                        ready.countDown();
                        ready.await();
                        return leaves.leaf("busy.example.com");
                    }))
                    .toList();
            Leaf first = all.getFirst().get();
            for (Future<Leaf> one : all) {
                assertThat(one.get()).isSameAs(first);
            }
        }
    }

    @Test
    void a_leaf_says_its_serial_and_not_its_key() {
        Leaf leaf = leaves.leaf("api.example.com");

        assertThat(leaf.toString())
                .isEqualTo("Leaf[serial=" + leaf.certificate().getSerialNumber().toString(16) + "]");
    }

    @Test
    void a_life_that_clients_would_refuse_is_refused() {
        Duration day = Duration.ofDays(1);
        assertThatThrownBy(() -> new Lifetimes(Duration.ofDays(3652), day, Duration.ofDays(397)))
                .hasMessageContaining("at most 396 days");
        assertThatThrownBy(() -> new Lifetimes(Duration.ofDays(3652), Duration.ofDays(6), day))
                .hasMessageContaining("at most 7 days");
        assertThatThrownBy(() -> new Lifetimes(Duration.ZERO, day, day)).hasMessageContaining("positive");
    }

    private void validateAt(String host, Instant when) throws Exception {
        Chains.validate(leaves.leaf(host).chain(), Chains.read(authority.pem()), when);
    }

    private static byte[] keyIdentifier(X509Certificate certificate) throws Exception {
        return SubjectKeyIdentifier.getInstance(
                        JcaX509ExtensionUtils.parseExtensionValue(certificate.getExtensionValue("2.5.29.14")))
                .getKeyIdentifier();
    }

    private static List<List<?>> names(Leaf leaf) throws Exception {
        return leaf.certificate().getSubjectAlternativeNames().stream().toList();
    }
}
