package io.sallyport.credential.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.net.TestGuard;
import io.sallyport.store.KeyKeeper;
import io.sallyport.store.StoreFault;
import io.sallyport.testing.TestCertificates;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The database's key, wrapped by Vault's transit engine. */
class VaultTransitTest {

    private static final TestCertificates CA = TestCertificates.authority();

    @TempDir
    Path folder;

    private final StandIn standIn = new StandIn(CA.issue("localhost"));
    private VaultFixture vault;
    private VaultTransit transit;

    @BeforeEach
    void prepare() {
        vault = new VaultFixture(
                "https://localhost:" + standIn.port(),
                "root",
                CA.writeRoot(folder.resolve("root.pem")),
                CA.clientContext(),
                TestGuard.exchange(),
                standIn.clock,
                folder);
        vault.admin("POST", "sys/mounts/transit", Map.of("type", "transit"));
        vault.admin("POST", "transit/keys/sallyport", Map.of());
        vault.role("sealer", "transit/encrypt/sallyport", "transit/decrypt/sallyport");
        transit = new VaultTransit(vault.as("sealer"));
    }

    @AfterEach
    void close() {
        standIn.close();
    }

    @Test
    void a_key_that_was_wrapped_opens_again_and_is_not_in_what_rests() {
        KeyKeeper.Made made = transit.make("transit/sallyport");

        assertThat(made.plain()).hasSize(32);
        assertThat(new String(made.wrapped(), StandardCharsets.US_ASCII)).startsWith("vault:v1:");
        assertThat(transit.open("transit/sallyport", made.wrapped())).isEqualTo(made.plain());
        assertThat(transit.make("transit/sallyport").plain()).isNotEqualTo(made.plain());
        assertThat(made.toString()).isEqualTo("Made[***]");
    }

    @Test
    void what_was_encrypted_there_for_another_purpose_does_not_open_as_a_key() {
        String other = vault.admin(
                        "POST",
                        "transit/encrypt/sallyport",
                        Map.of("plaintext", Base64.getEncoder().encodeToString(new byte[32])))
                .path("data")
                .path("ciphertext")
                .asString();

        assertThatThrownBy(() -> transit.open("transit/sallyport", other.getBytes(StandardCharsets.US_ASCII)))
                .isInstanceOf(StoreFault.class)
                .hasMessageContaining("(400)")
                .hasMessageNotContaining(other.substring(9));
    }

    @Test
    void a_refusal_or_an_outage_is_a_sentence_for_whoever_starts_the_broker() {
        assertThatThrownBy(() -> transit.make("transit/other"))
                .isInstanceOf(StoreFault.class)
                .hasMessageContaining("vault-transit:transit/other (sallyport.key)")
                .hasMessageContaining("update on transit/encrypt/other");
        standIn.always = new StandIn.Reply(503, Map.of("errors", List.of("Vault is sealed")));
        assertThatThrownBy(() -> transit.open("transit/sallyport", new byte[] {1}))
                .hasMessageContaining("sealed")
                .hasMessageEndingWith("Start again when that is put right");
        assertThatThrownBy(() -> transit.make("sallyport")).hasMessageContaining("vault-transit:MOUNT/KEY");
    }
}
