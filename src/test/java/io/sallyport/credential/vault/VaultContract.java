package io.sallyport.credential.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.SourceFault;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the broker counts on at a Vault server: holds of the stand-in, and of a real one where there is one. */
abstract class VaultContract {

    private VaultFixture vault;
    private String kv;
    private String kv1;
    private String role;

    /** @param unique names by which this run's mounts and roles are told from any other's */
    abstract VaultFixture server();

    abstract String unique();

    @BeforeEach
    void prepare() {
        vault = server();
        kv = "kv-" + unique();
        kv1 = "old-" + unique();
        role = "role-" + unique();
        vault.admin("POST", "sys/mounts/" + kv, Map.of("type", "kv", "options", Map.of("version", "2")));
        vault.admin("POST", "sys/mounts/" + kv1, Map.of("type", "kv", "options", Map.of("version", "1")));
        vault.role(role, kv + "/data/agents/*", kv1 + "/agents/*");
        write("first-value-1");
    }

    private void write(String value) {
        vault.admin(
                "POST",
                kv + "/data/agents/github",
                Map.of("data", Map.of("token", value, "user_name", "robot", "number", 7)));
    }

    private Map<String, Object> field(String name) {
        return Map.of("path", kv + "/agents/github", "field", name);
    }

    private SourceFault fault(VaultSession session, Map<String, ?> document) {
        return catchThrowableOfType(SourceFault.class, () -> vault.fetch(session, document, null));
    }

    @Test
    void a_field_of_a_versioned_secret_is_read_and_said_to_be_unchanged_until_it_changes() throws Exception {
        VaultSession session = vault.as(role);

        Fetched first = vault.fetch(session, field("token"), null);
        Object stamp = ((Fetched.Given) first).stamp();

        assertThat(VaultFixture.text(first)).isEqualTo("first-value-1");
        assertThat(vault.fetch(session, field("token"), stamp)).isInstanceOf(Fetched.Unchanged.class);
        write("second-value-2");
        assertThat(VaultFixture.text(vault.fetch(session, field("token"), stamp)))
                .isEqualTo("second-value-2");
    }

    @Test
    void a_version_is_read_where_the_document_names_one() throws Exception {
        VaultSession session = vault.as(role);
        write("second-value-2");

        Map<String, Object> first = Map.of("path", kv + "/agents/github", "field", "token", "version", 1);
        assertThat(VaultFixture.text(vault.fetch(session, first, null))).isEqualTo("first-value-1");
        SourceFault none = fault(session, Map.of("path", kv + "/agents/github", "field", "token", "version", 9));
        assertThat(none.kind()).isEqualTo(SourceFault.Kind.MISSING);
        assertThat(none.cause()).contains("version 9");
    }

    @Test
    void fields_become_parts_by_the_documents_names_or_by_their_own() throws Exception {
        VaultSession session = vault.as(role);

        Fetched named = vault.fetch(
                session,
                Map.of("path", kv + "/agents/github", "fields", Map.of("username", "user_name", "password", "token")),
                null);
        assertThat(((Fetched.Given) named).material().names()).containsExactly("password", "username");
        assertThat(VaultFixture.text(named, "username")).isEqualTo("robot");

        Fetched all = vault.fetch(session, Map.of("path", kv + "/agents/github"), null);
        assertThat(((Fetched.Given) all).material().names()).containsExactly("number", "token", "user-name");
        assertThat(VaultFixture.text(all, "number")).isEqualTo("7");

        SourceFault absent = fault(session, field("other-field"));
        assertThat(absent.kind()).isEqualTo(SourceFault.Kind.MISSING);
        assertThat(absent.cause()).contains("other-field");
    }

    @Test
    void a_deleted_or_destroyed_version_and_a_path_without_one_are_missing_and_told_apart() {
        VaultSession session = vault.as(role);
        write("second-value-2");
        write("third-value-33");
        vault.admin("POST", kv + "/delete/agents/github", Map.of("versions", List.of(3)));
        vault.admin("PUT", kv + "/destroy/agents/github", Map.of("versions", List.of(2)));

        assertThat(fault(session, field("token")))
                .extracting(SourceFault::kind, SourceFault::cause)
                .containsExactly(
                        SourceFault.Kind.MISSING, "the newest version of " + kv + "/agents/github has been deleted");
        assertThat(fault(session, Map.of("path", kv + "/agents/github", "version", 2)))
                .extracting(SourceFault::kind, SourceFault::cause)
                .containsExactly(SourceFault.Kind.MISSING, "version 2 of " + kv + "/agents/github has been destroyed");
        assertThat(fault(session, Map.of("path", kv + "/agents/nothing")).kind())
                .isEqualTo(SourceFault.Kind.MISSING);
    }

    @Test
    void an_unversioned_engine_is_found_out_and_read() throws Exception {
        VaultSession session = vault.as(role);
        vault.admin("POST", kv1 + "/agents/github", Map.of("token", "old-value-1"));

        Map<String, Object> document = Map.of("path", kv1 + "/agents/github", "field", "token");
        Fetched given = vault.fetch(session, document, null);

        assertThat(VaultFixture.text(given)).isEqualTo("old-value-1");
        assertThat(vault.fetch(session, document, ((Fetched.Given) given).stamp()))
                .isInstanceOf(Fetched.Unchanged.class);
        assertThat(fault(session, Map.of("path", kv1 + "/agents/github", "version", 1)))
                .extracting(SourceFault::kind)
                .isEqualTo(SourceFault.Kind.BAD);
    }

    @Test
    void what_the_policies_do_not_allow_is_denied_and_says_what_they_need() {
        VaultSession session = vault.as(role);
        vault.admin("POST", kv + "/data/people/payroll", Map.of("data", Map.of("token", "not-for-agents")));

        SourceFault denied = fault(session, Map.of("path", kv + "/people/payroll", "engine", "kv-2"));

        assertThat(denied.kind()).isEqualTo(SourceFault.Kind.DENIED);
        assertThat(denied.cause())
                .contains("read on " + kv + "/data/people/payroll")
                .doesNotContain("agents");
    }

    @Test
    void a_wrong_secret_id_is_denied_and_the_next_one_in_its_file_counts() throws Exception {
        vault.secretFile("secret-id", "3b8a4d0e-0000-0000-0000-000000000000");
        VaultSession session = vault.session(vault.appRole(role, null));

        SourceFault denied = fault(session, field("token"));

        assertThat(denied.kind()).isEqualTo(SourceFault.Kind.DENIED);
        assertThat(denied.cause()).contains("sallyport.vault.auth").doesNotContain("3b8a4d0e");
        vault.secretFile("secret-id", vault.secretId(role));
        VaultSession next = vault.session(vault.appRole(role, null));
        assertThat(VaultFixture.text(vault.fetch(next, field("token"), null))).isEqualTo("first-value-1");
    }

    private String wrappedSecretId(String of) {
        return vault.admin("POST", "auth/approle/role/" + of + "/secret-id", Map.of(), "5m")
                .path("wrap_info")
                .path("token")
                .asString();
    }

    @Test
    void a_wrapped_secret_id_is_opened_once_and_one_that_was_opened_before_is_an_alarm() throws Exception {
        vault.secretFile("secret-id", wrappedSecretId(role));
        String at = "auth/approle/role/" + role + "/secret-id";
        VaultSession session = vault.session(vault.appRole(role, at));

        assertThat(VaultFixture.text(vault.fetch(session, field("token"), null)))
                .isEqualTo("first-value-1");

        SourceFault used = fault(vault.session(vault.appRole(role, at)), field("token"));
        assertThat(used.kind()).isEqualTo(SourceFault.Kind.DENIED);
        assertThat(used.cause()).contains("opened it before").contains("stolen");
    }

    @Test
    void a_wrapping_token_that_was_made_elsewhere_is_not_opened() throws Exception {
        String other = "other-" + unique();
        vault.role(other, kv + "/data/agents/*");
        String planted = wrappedSecretId(other);
        vault.secretFile("secret-id", planted);

        SourceFault denied =
                fault(vault.session(vault.appRole(role, "auth/approle/role/" + role + "/secret-id")), field("token"));

        assertThat(denied.kind()).isEqualTo(SourceFault.Kind.DENIED);
        assertThat(denied.cause()).contains("was not opened").doesNotContain(planted);
        // It was left whole, as evidence and for whoever it was made for.
        VaultSession rightful = vault.session(vault.appRole(other, "auth/approle/role/" + other + "/secret-id"));
        assertThat(VaultFixture.text(vault.fetch(rightful, field("token"), null)))
                .isEqualTo("first-value-1");
    }

    @Test
    void a_token_that_was_revoked_at_the_server_is_followed_by_a_new_login_within_the_same_question() throws Exception {
        VaultSession session = vault.as(role);
        vault.fetch(session, field("token"), null);
        session.close();

        assertThat(VaultFixture.text(vault.fetch(session, field("token"), null)))
                .isEqualTo("first-value-1");
    }

    @Test
    void what_transit_has_encrypted_with_its_key_it_decrypts() throws Exception {
        String transit = "transit-" + unique();
        vault.admin("POST", "sys/mounts/" + transit, Map.of("type", "transit"));
        vault.admin("POST", transit + "/keys/sallyport", Map.of());
        String wrapping = "wrapping-" + unique();
        vault.role(wrapping, transit + "/encrypt/sallyport", transit + "/decrypt/sallyport");
        VaultSession session = vault.as(wrapping);

        VaultAnswer sealed = session.ask(
                        null,
                        api -> api.write(
                                transit + "/encrypt/sallyport", Map.of("plaintext", "QUJD", "associated_data", "WFla")))
                .answer();
        String ciphertext = VaultAnswer.text(sealed.object("data"), "ciphertext");

        assertThat(ciphertext).startsWith("vault:v1:");
        VaultAnswer opened = session.ask(
                        null,
                        api -> api.write(
                                transit + "/decrypt/sallyport",
                                Map.of("ciphertext", ciphertext, "associated_data", "WFla")))
                .answer();
        assertThat(VaultAnswer.text(opened.object("data"), "plaintext")).isEqualTo("QUJD");
        VaultAnswer elsewhere = session.ask(
                        null,
                        api -> api.write(
                                transit + "/decrypt/sallyport",
                                Map.of("ciphertext", ciphertext, "associated_data", "QUJD")))
                .answer();
        assertThat(elsewhere.status()).isEqualTo(400);
    }
}
