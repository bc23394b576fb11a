package io.sallyport.proxy.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.proxy.InterceptionRoot.RollOver;
import io.sallyport.proxy.tls.CompanyCa.Shape;
import io.sallyport.testing.TestStore;
import io.sallyport.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An intermediate of a company's own CA signs in the place of the broker's own root. */
class BroughtAuthorityTest {

    private final Instant start = Instant.now().minusSeconds(60);
    private final MutableClock clock = new MutableClock(Instant.now());
    private final Shape year = Shape.until(start.minus(Duration.ofDays(2)), Duration.ofDays(365));
    private final CompanyCa root = CompanyCa.root(year);
    private final CompanyCa middle = root.below("Company Issuing CA", year);

    @RegisterExtension
    final TestStore store = new TestStore();

    @TempDir
    Path folder;

    private InterceptionAuthority brought(String... parts) {
        SignableNames names = new SignableNames(Set.of("api.example.com"), Set.of());
        return InterceptionAuthority.brought(file(parts), Chains.in(store), () -> names, Lifetimes.USUAL, clock);
    }

    private Path file(String... parts) {
        try {
            return Files.writeString(folder.resolve("authority.pem"), String.join("", parts));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private List<X509Certificate> chain(InterceptionAuthority authority) {
        return new MintedLeaves(authority, clock, 10).leaf("api.example.com").chain();
    }

    private void verified(List<X509Certificate> chain) throws Exception {
        Chains.validate(chain, List.of(root.certificate()), clock.instant());
        Tools.require("openssl");
        Path leaf = Files.writeString(folder.resolve("leaf.pem"), Certificates.pem(chain.subList(0, 1)));
        Path above = Files.writeString(folder.resolve("above.pem"), Certificates.pem(chain.subList(1, chain.size())));
        Path ca = Files.writeString(folder.resolve("root.pem"), root.certificatePem());
        Tools.Ran ran = Tools.run(
                folder,
                Map.of(),
                "openssl",
                "verify",
                "-x509_strict",
                "-purpose",
                "sslserver",
                "-CAfile",
                ca.toString(),
                "-untrusted",
                above.toString(),
                leaf.toString());
        assertThat(ran.out()).as(ran.err()).contains(": OK");
    }

    @Test
    void with_room_below_it_it_signs_the_short_authorities_for_one_name_each() throws Exception {
        CompanyCa own = middle.below("Sallyport at Company", year.withPathLength(1));
        InterceptionAuthority authority =
                brought(own.certificatePem(), middle.certificatePem(), root.certificatePem(), own.keyPem());

        List<X509Certificate> chain = chain(authority);

        assertThat(chain).hasSize(4).contains(own.certificate(), middle.certificate());
        assertThat(chain.get(1).getExtensionValue("2.5.29.30"))
                .as("constrained")
                .isNotNull();
        verified(chain);
        assertThat(Chains.read(authority.pem())).as("what clients are to trust").containsExactly(root.certificate());
    }

    @Test
    void without_room_below_it_it_signs_the_leaves() throws Exception {
        CompanyCa own = middle.below("Sallyport at Company", year.withPathLength(0));
        List<X509Certificate> chain =
                chain(brought(own.keyPem(), own.certificatePem(), middle.certificatePem(), root.certificatePem()));

        assertThat(chain).hasSize(3);
        verified(chain);
    }

    @Test
    void a_path_length_further_up_is_heeded_too() throws Exception {
        CompanyCa narrow = root.below("Company Issuing CA", year.withPathLength(1));
        CompanyCa own = narrow.below("Sallyport at Company", year);
        List<X509Certificate> chain =
                chain(brought(own.certificatePem(), narrow.certificatePem(), root.certificatePem(), own.keyPem()));

        assertThat(chain).as("no authority between").hasSize(3);
        verified(chain);
    }

    @Test
    void keys_of_other_kinds_that_clients_accept_sign_too() throws Exception {
        for (var keys : List.of(CompanyCa.keys("RSA", 2048), CompanyCa.keys("EC", 384))) {
            CompanyCa own = root.below("Sallyport at Company", year, keys);
            verified(chain(brought(own.certificatePem(), root.certificatePem(), own.keyPem())));
        }
    }

    @Test
    void a_key_in_the_form_of_older_tools_is_read_too() throws Exception {
        Tools.require("openssl");
        CompanyCa own = root.below("Sallyport at Company", year);
        Path key = Files.writeString(folder.resolve("key.pem"), own.keyPem());
        Tools.Ran sec1 = Tools.run(folder, Map.of(), "openssl", "ec", "-in", key.toString());
        assertThat(sec1.out()).contains("BEGIN EC PRIVATE KEY");

        String curve = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
        verified(chain(brought(curve, sec1.out(), own.certificatePem(), root.certificatePem())));
    }

    @Test
    void it_does_not_outlive_its_end_and_health_warns_a_quarter_before() {
        CompanyCa own = root.below("Sallyport", Shape.until(start, Duration.ofDays(40)));
        InterceptionAuthority authority = brought(own.certificatePem(), own.keyPem());
        assertThat(authority.warning()).isEmpty();

        clock.pass(Duration.ofDays(31));
        assertThat(authority.warning()).hasValueSatisfying(it -> assertThat(it).contains("ends soon"));

        clock.pass(Duration.ofDays(8));
        assertThat(chain(authority))
                .allSatisfy(one -> assertThat(one.getNotAfter())
                        .isBeforeOrEqualTo(own.certificate().getNotAfter()));

        clock.pass(Duration.ofDays(2));
        assertThat(authority.timeLeft()).isZero();
        assertThatThrownBy(() -> chain(authority))
                .isInstanceOf(AuthorityExpired.class)
                .hasMessageContaining("replace");
    }

    @Test
    void a_file_that_is_replaced_is_taken_up_without_a_restart_and_a_bad_one_is_not() throws Exception {
        CompanyCa first = root.below("First", year);
        CompanyCa second = root.below("Second", year);
        InterceptionAuthority authority = brought(first.certificatePem(), root.certificatePem(), first.keyPem());
        MintedLeaves leaves = new MintedLeaves(authority, clock, 10);
        assertThat(leaves.leaf("api.example.com").chain()).contains(first.certificate());

        replace("nonsense", 1);
        assertThat(leaves.leaf("api.example.com").chain()).contains(first.certificate());
        assertThat(authority.warning()).hasValueSatisfying(it -> assertThat(it).contains("holds 0 certificates"));

        replace(second.certificatePem() + root.certificatePem() + second.keyPem(), 2);
        assertThat(leaves.leaf("api.example.com").chain()).contains(second.certificate());
        assertThat(authority.warning()).isEmpty();
    }

    private void replace(String content, int seconds) throws IOException {
        Files.setLastModifiedTime(file(content), FileTime.from(Instant.now().plusSeconds(seconds)));
        clock.pass(Duration.ofSeconds(11));
    }

    @Test
    void what_can_not_be_used_refuses_in_words_and_tells_nothing_of_the_key() {
        CompanyCa good = root.below("Good", year);
        CompanyCa other = root.below("Other", year);
        Instant past = start.minus(Duration.ofDays(800));

        refused("holds 0 certificates and 0 private keys");
        refused("holds 1 certificates and 0 private keys", good.certificatePem());
        refused("holds 0 certificates and 1 private keys", good.keyPem());
        refused("holds 1 certificates and 2 private keys", good.certificatePem(), good.keyPem(), other.keyPem());
        refused("not that of its first certificate", good.certificatePem(), other.keyPem());
        refused("which is no CA", spoilt(year.notCa()));
        refused("does not allow it to sign", spoilt(year.withUsage(KeyUsage.digitalSignature)));
        refused("leaves out TLS servers", spoilt(year.forClients()));
        refused("allowed: one that holds now", spoilt(Shape.until(past, Duration.ofDays(365))));
        refused("allowed: one that holds now", spoilt(Shape.until(start.plus(Duration.ofDays(3)), Duration.ofDays(9))));
        CompanyCa weak = root.below("Weak", year, CompanyCa.keys("RSA", 1024));
        refused("RSA key that others refuse", weak.certificatePem(), weak.keyPem());
        refused("out of order", good.certificatePem(), middle.certificatePem(), good.keyPem());
        refused("encrypted private key", good.certificatePem(), """
                -----BEGIN ENCRYPTED PRIVATE KEY-----
                MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAj1D0ZbYWZ0fAICCAAw
                DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEJ8VqUyZqUyZqUyZqUyZqUwEQGFi
                Y2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4
                eXphYmNkZWZnaGlqa2w=
                -----END ENCRYPTED PRIVATE KEY-----
                """);
    }

    private String spoilt(Shape shape) {
        CompanyCa ca = root.below("Spoilt", shape);
        return ca.certificatePem() + ca.keyPem();
    }

    private void refused(String why, String... parts) {
        assertThatThrownBy(() -> brought(parts))
                .as(why)
                .isInstanceOf(AuthorityUnusable.class)
                .hasMessageStartingWith("sallyport.proxy.authority: " + folder.resolve("authority.pem") + " ")
                .hasMessageContaining(why)
                .satisfies(fault -> assertThat(fault.getMessage()).doesNotContain("PRIVATE KEY-----"));
    }

    @Test
    void a_file_that_is_not_there_refuses() {
        SignableNames none = new SignableNames(Set.of(), Set.of());
        assertThatThrownBy(() -> InterceptionAuthority.brought(
                        folder.resolve("absent.pem"), Chains.in(store), () -> none, Lifetimes.USUAL, clock))
                .isInstanceOf(AuthorityUnusable.class)
                .hasMessageContaining("absent.pem can't be read (NoSuchFileException)");
    }

    @Test
    void it_is_rolled_over_in_its_file_and_not_by_the_operators_verbs() {
        CompanyCa own = root.below("Sallyport", year);
        InterceptionAuthority authority = brought(own.certificatePem(), own.keyPem());

        assertThat(authority.states()).isEmpty();
        assertThat(store.writer().write(authority::succeed))
                .isInstanceOfSatisfying(
                        RollOver.Refused.class,
                        refused -> assertThat(refused.reason()).contains("sallyport.proxy.authority"));
    }
}
