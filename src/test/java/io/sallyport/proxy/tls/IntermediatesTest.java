package io.sallyport.proxy.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.store.StoreFault;
import io.sallyport.testing.TestStore;
import java.security.cert.CertPathValidatorException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What stands between root and leaf: short-lived, for one name, and made anew in time. */
class IntermediatesTest {

    private final MutableClock clock = new MutableClock(Instant.parse("2026-12-01T10:00:00Z"));
    private final TestStore store = TestStore.started();
    private SignableNames names = new SignableNames(
            Set.of("api.example.com", "www.example.net", "192.0.2.7", "2001:db8::1"), Set.of("up.test"));
    private final InterceptionAuthority authority =
            InterceptionAuthority.open(Chains.in(store), () -> names, Lifetimes.USUAL, clock);
    private final MintedLeaves leaves = new MintedLeaves(authority, clock, 100);

    @AfterEach
    void close() {
        store.close();
    }

    private X509Certificate root() {
        return Chains.read(authority.pem()).getFirst();
    }

    private X509Certificate intermediate(String host) {
        List<X509Certificate> chain = leaves.leaf(host).chain();
        assertThat(chain).hasSize(2);
        return chain.getLast();
    }

    /** Signs with an intermediate what the broker itself would not: what its key is worth to a thief. */
    private List<X509Certificate> stolen(String intermediate, String host) {
        Issuer issuer = authority.issuer(intermediate);
        X509Certificate forged = authority.leaf(host, Certificates.newKeys().getPublic(), issuer);
        return List.of(forged, issuer.certificate());
    }

    @Test
    void an_intermediate_lives_seven_days_at_most_and_can_sign_leaves_for_servers_alone() throws Exception {
        X509Certificate intermediate = intermediate("api.example.com");

        assertThat(Duration.between(
                        intermediate.getNotBefore().toInstant(),
                        intermediate.getNotAfter().toInstant()))
                .isLessThanOrEqualTo(Duration.ofDays(7));
        assertThat(intermediate.getBasicConstraints()).isZero();
        assertThat(intermediate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(intermediate.getCriticalExtensionOIDs())
                .as("constraints, usage, names")
                .containsExactlyInAnyOrder("2.5.29.19", "2.5.29.15", "2.5.29.30");
        assertThat(authorityKeyIdentifier(intermediate)).isEqualTo(subjectKeyIdentifier(root()));
        assertThat(subjectKeyIdentifier(intermediate)).isNotEqualTo(subjectKeyIdentifier(root()));
    }

    @Test
    void a_stolen_intermediate_is_worth_its_own_name_and_no_other() throws Exception {
        Chains.validate(stolen("api.example.com", "api.example.com"), List.of(root()), clock.instant());
        for (String other : List.of("www.example.net", "example.com", "xapi.example.com", "192.0.2.7", "2001:db8::1")) {
            assertThatThrownBy(
                            () -> Chains.validate(stolen("api.example.com", other), List.of(root()), clock.instant()))
                    .as(other)
                    .isInstanceOf(CertPathValidatorException.class);
        }
    }

    @Test
    void an_intermediate_for_an_address_signs_for_that_address_and_for_no_name() throws Exception {
        for (String address : List.of("192.0.2.7", "2001:db8::1")) {
            Chains.validate(stolen(address, address), List.of(root()), clock.instant());
            for (String other : List.of("192.0.2.8", "2001:db8::2", "api.example.com", "a.invalid.example")) {
                assertThatThrownBy(() -> Chains.validate(stolen(address, other), List.of(root()), clock.instant()))
                        .as(address + " for " + other)
                        .isInstanceOf(CertPathValidatorException.class);
            }
        }
    }

    @Test
    void the_hosts_below_a_wildcard_share_an_intermediate_for_its_parent() throws Exception {
        assertThat(intermediate("a.up.test")).isEqualTo(intermediate("b.up.test"));
        Chains.validate(leaves.leaf("a.up.test").chain(), List.of(root()), clock.instant());
        assertThatThrownBy(
                        () -> Chains.validate(stolen("a.up.test", "api.example.com"), List.of(root()), clock.instant()))
                .isInstanceOf(CertPathValidatorException.class);
    }

    @Test
    void what_no_document_names_has_no_leaf() {
        for (String host : List.of("other.example.com", "up.test", "a.b.up.test", "example.com", "192.0.2.8", "test")) {
            assertThatThrownBy(() -> leaves.leaf(host)).as(host).isInstanceOf(NotSignable.class);
        }
        assertThat(leaves.minted()).isZero();
    }

    /** Every client that shakes hands reads the constraint: it must not tell an agent what other policies name. */
    @Test
    void a_handshake_shows_no_name_but_its_own() throws Exception {
        for (X509Certificate shown : leaves.leaf("api.example.com").chain()) {
            String bytes = new String(shown.getEncoded(), java.nio.charset.StandardCharsets.ISO_8859_1);
            assertThat(bytes).doesNotContain("example.net").doesNotContain("up.test");
        }
    }

    @Test
    void a_host_that_a_new_book_names_verifies_at_once_and_one_that_it_drops_is_forgotten() throws Exception {
        leaves.leaf("api.example.com");
        names = new SignableNames(Set.of("new.example.org"), Set.of());
        leaves.tidy();

        Chains.validate(leaves.leaf("new.example.org").chain(), List.of(root()), clock.instant());
        assertThat(leaves.cached("api.example.com")).isEmpty();
        assertThat(leaves.ready("api.example.com")).isFalse();
        assertThatThrownBy(() -> leaves.leaf("api.example.com")).isInstanceOf(NotSignable.class);
    }

    @Test
    void a_sandbox_whose_clock_lags_by_a_day_accepts_leaf_and_intermediate_made_a_moment_ago() throws Exception {
        List<X509Certificate> chain = leaves.leaf("api.example.com").chain();

        Chains.validate(chain, List.of(root()), clock.instant().minus(Duration.ofHours(24)));
        assertThat(chain.getLast().getNotBefore()).isBefore(chain.getFirst().getNotBefore());
    }

    @Test
    void a_sandbox_whose_clock_is_a_day_ahead_accepts_whatever_it_is_shown() throws Exception {
        for (int hours = 0; hours < 24 * 20; hours += 5) {
            Chains.validate(
                    leaves.leaf("api.example.com").chain(),
                    List.of(root()),
                    clock.instant().plus(Duration.ofHours(24)));
            clock.pass(Duration.ofHours(5));
        }
    }

    @Test
    void an_intermediate_is_made_anew_with_a_third_of_its_life_left_and_the_leaf_with_it() {
        Leaf first = leaves.leaf("api.example.com");
        clock.pass(Duration.ofHours(95));
        assertThat(leaves.ready("api.example.com"))
                .as("nothing to do, but to look at the database")
                .isFalse();
        assertThat(leaves.leaf("api.example.com")).isSameAs(first);
        assertThat(leaves.ready("api.example.com")).isTrue();

        clock.pass(Duration.ofMinutes(21));
        Leaf second = leaves.leaf("api.example.com");

        assertThat(second.chain().getLast()).isNotEqualTo(first.chain().getLast());
        assertThat(leaves.cached("api.example.com")).containsSame(second);
        assertThat(second.certificate().getNotAfter())
                .as("never longer than its issuer")
                .isBeforeOrEqualTo(second.chain().getLast().getNotAfter());
    }

    @Test
    void a_restart_uses_the_intermediate_that_there_is_and_the_table_keeps_none_past_its_end() {
        X509Certificate before = intermediate("api.example.com");
        InterceptionAuthority restarted =
                InterceptionAuthority.open(Chains.in(store), () -> names, Lifetimes.USUAL, clock);
        assertThat(restarted.issuer("api.example.com").certificate()).isEqualTo(before);

        clock.pass(Duration.ofDays(10));
        restarted.issuer("api.example.com");
        assertThat(rows()).isOne();
    }

    @Test
    void while_the_store_is_down_no_intermediate_is_made_and_those_that_there_are_serve_on() {
        Leaf held = leaves.leaf("api.example.com");
        store.sqlite().close();

        clock.pass(OwnRoots.BELIEVED.plusSeconds(1));

        assertThatThrownBy(() -> leaves.leaf("www.example.net")).isInstanceOf(StoreFault.class);
        assertThat(leaves.leaf("api.example.com")).isSameAs(held);
    }

    private int rows() {
        return store.readers().read(connection -> {
            try (var row =
                    connection.createStatement().executeQuery("SELECT count(*) FROM interception_intermediate")) {
                row.next();
                return row.getInt(1);
            }
        });
    }

    private static byte[] subjectKeyIdentifier(X509Certificate certificate) throws Exception {
        return SubjectKeyIdentifier.getInstance(
                        JcaX509ExtensionUtils.parseExtensionValue(certificate.getExtensionValue("2.5.29.14")))
                .getKeyIdentifier();
    }

    private static byte[] authorityKeyIdentifier(X509Certificate certificate) throws Exception {
        return AuthorityKeyIdentifier.getInstance(
                        JcaX509ExtensionUtils.parseExtensionValue(certificate.getExtensionValue("2.5.29.35")))
                .getKeyIdentifierOctets();
    }
}
