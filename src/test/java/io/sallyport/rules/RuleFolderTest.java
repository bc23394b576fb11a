package io.sallyport.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sallyport.credential.BlastRadius;
import io.sallyport.identity.Isolation;
import io.sallyport.policy.Scope;
import io.sallyport.testing.TestCertificates;
import io.sallyport.testing.TestIssuer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuleFolderTest {

    @TempDir
    private Path temp;

    private TestFolder folder;

    @BeforeEach
    void documents() {
        folder = new TestFolder(temp.resolve("rules"));
    }

    @Test
    void a_right_folder_becomes_a_book() {
        RuleBook book = folder.book();
        assertThat(book.policies()).containsOnlyKeys("fixer");
        assertThat(book.credentials()).containsOnlyKeys("up");
        assertThat(book.documents())
                .extracting(RuleBook.Document::kind)
                .containsExactly("identity", "credential", "policy");
        assertThat(book.documents().getLast().text()).isEqualTo(TestFolder.POLICY);
        Scope read = book.policies().get("fixer").scopes().get("read");
        assertThat(book.credentialsOf(read)).containsExactly(book.credentials().get("up"));
    }

    @Test
    void a_problem_names_file_line_key_and_what_is_allowed() {
        folder.policy("GET /a/**", "GET /a/**/b");
        assertThat(folder.problems()).hasSize(1);
        assertThat(folder.problems().getFirst())
                .startsWith("policies/fixer.yml:12: scopes.read.allow[0]: \"GET /a/**/b\" is not a pattern")
                .contains("allowed");
        folder.policy("allow:", "alow:");
        assertThat(folder.problems())
                .contains("policies/fixer.yml:9: scopes.read.allow: is missing and required")
                .anyMatch(line -> line.startsWith(
                                "policies/fixer.yml:12: scopes.read.alow: is unknown; allowed: allow, credential")
                        && line.endsWith("(did you mean allow?)"));
    }

    @Test
    void everything_that_is_wrong_is_said_at_once() {
        folder.policy("owner: team@example.com\n", "")
                .write("credentials/up.yml", TestFolder.CREDENTIAL.replace("low", "tiny"));
        assertThat(folder.problems()).hasSize(2);
    }

    @Test
    void the_first_key_is_the_version() {
        folder.policy("sallyport: v1\n", "");
        assertThat(folder.problems())
                .containsExactly("policies/fixer.yml:1: sallyport: must be the first key; allowed: sallyport: v1");
        folder.policy("sallyport: v1\npolicy: fixer\n", "policy: fixer\nsallyport: v1\n");
        assertThat(folder.problems()).hasSize(1);
        folder.policy("v1", "v2");
        assertThat(folder.problems())
                .containsExactly("policies/fixer.yml:1: sallyport: is of a version that is unknown; allowed: v1");
    }

    @Test
    void the_name_is_the_files_and_the_kind_is_the_folders() {
        folder.policy("policy: fixer", "policy: other");
        assertThat(folder.problems())
                .containsExactly("policies/fixer.yml:2: policy: must be the document's name; allowed: fixer");
        folder.write("policies/fixer.yml", TestFolder.CREDENTIAL);
        assertThat(folder.problems()).hasSize(1).allMatch(line -> line.contains("credentials/NAME.yml"));
        folder.policy("policy: fixer", "policy: fixer\ncredential: up");
        assertThat(folder.problems()).hasSize(1).allMatch(line -> line.contains("must be of one kind"));
    }

    @Test
    void no_credential_can_be_called_none() {
        folder.write("credentials/none.yml", TestFolder.CREDENTIAL.replace("credential: up", "credential: none"));
        assertThat(folder.problems())
                .hasSize(1)
                .allMatch(line -> line.startsWith("credentials/none.yml:2: credential:"));
    }

    @Test
    void other_files_are_errors_and_dotfiles_are_ignored() {
        folder.write("policies/.fixer.yml.swp", "x");
        folder.write(".git/config", "x");
        folder.write("identities/jwks.json", "{}");
        assertThat(folder.problems()).isEmpty();
        folder.write("policies/fixer.yaml", TestFolder.POLICY);
        folder.write("policies/deeper/x.yml", TestFolder.POLICY);
        folder.write("notes.txt", "x");
        assertThat(folder.problems())
                .extracting(line -> line.substring(0, line.indexOf(':')))
                .containsExactlyInAnyOrder("policies/fixer.yaml", "policies/deeper", "notes.txt");
    }

    @Test
    void a_missing_folder_is_said_and_a_missing_kind_is_none() throws Exception {
        assertThat(RuleFolder.check(temp.resolve("gone"))).isInstanceOf(RuleFolder.Checked.Wrong.class);
        Files.createDirectory(temp.resolve("empty"));
        assertThat(RuleFolder.check(temp.resolve("empty"))).isInstanceOf(RuleFolder.Checked.Right.class);
    }

    @Test
    void yaml_that_hides_something_is_refused_with_its_line() {
        for (String wrong : List.of(
                "owner: a\nowner: b\n",
                "owner: &o a\n",
                "owner: !mine a\n",
                "owner: !!binary aGk=\n",
                "---\nowner: a\n",
                "owner: [a\n",
                "? [owner]\n: a\n",
                "owner: " + "[".repeat(100_000) + "\n",
                "owner: " + "[".repeat(30) + "]".repeat(30) + "\n")) {
            folder.policy("owner: team@example.com\n", wrong);
            assertThat(folder.problems()).as(wrong).isNotEmpty();
            assertThat(folder.problems().getFirst()).as(wrong).matches("policies/fixer[.]yml:\\d+: .*");
        }
        folder.policy("owner: team@example.com\n", "owner: a\nowner: b\n");
        assertThat(folder.problems())
                .containsExactly("policies/fixer.yml:4: owner: stands here a second time; allowed: each key once");
    }

    @Test
    void what_is_not_yaml_is_refused_without_quoting_it() {
        folder.write("credentials/up.yml", "sallyport: v1\nsecret: sk-live-1\n\tbad: {");
        assertThat(folder.problems()).hasSize(1).noneMatch(line -> line.contains("sk-live"));
    }

    @Test
    void bytes_that_are_no_text_are_refused() throws Exception {
        Files.write(folder.root().resolve("policies/fixer.yml"), new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThat(folder.problems()).containsExactly("policies/fixer.yml:1: is not UTF-8");
    }

    @Test
    void an_unquoted_no_is_text_and_a_number_is_not() {
        folder.policy("owner: team@example.com", "owner: no");
        assertThat(folder.problems()).isEmpty();
        folder.policy("owner: team@example.com", "owner: 12");
        assertThat(folder.problems()).hasSize(1);
        folder.policy("owner: team@example.com", "owner:");
        assertThat(folder.problems()).hasSize(1).allMatch(line -> line.contains("has no value"));
    }

    @Test
    void a_scope_names_credentials_that_exist_and_may_go_there() {
        folder.policy("credential: up", "credential: upp");
        assertThat(folder.problems())
                .containsExactly(
                        "policies/fixer.yml:13: scopes.read.credential: names upp, which does not exist; allowed: none, up");
        folder.policy("https://api.up.test", "https://other.up.test");
        assertThat(folder.problems())
                .hasSize(1)
                .allMatch(line -> line.startsWith("policies/fixer.yml:11: scopes.read.destination:"));
        folder.policy("https://api.up.test", "https://api.up.test:8443");
        assertThat(folder.problems()).hasSize(1);
    }

    @Test
    void plain_http_carries_a_credential_only_if_the_credential_lists_that_origin() {
        folder.policy("https://api.up.test", "http://api.up.test");
        assertThat(folder.problems()).hasSize(1);
        folder.write("credentials/up.yml", TestFolder.CREDENTIAL.replace("[https", "[\"http://api.up.test\", https"));
        assertThat(folder.problems()).isEmpty();
    }

    @Test
    void a_wildcard_scope_needs_a_credential_with_the_same_wildcard() {
        folder.policy("destination: https://api.up.test", "destination: \"https://*.up.test\"\n    wide: r");
        assertThat(folder.problems()).hasSize(1);
        folder.write(
                "credentials/up.yml",
                TestFolder.CREDENTIAL.replace("[https://api.up.test]", "[\"https://*.up.test\"]\nwide: r"));
        assertThat(folder.problems()).isEmpty();
    }

    @Test
    void two_credentials_fill_disjoint_slots() {
        String two = TestFolder.CREDENTIAL.replace("credential: up", "credential: two");
        folder.write("credentials/two.yml", two);
        folder.policy("credential: up", "credential: [up, two]");
        assertThat(folder.problems()).hasSize(1).allMatch(line -> line.contains("disjoint slots"));
        folder.write("credentials/two.yml", two.replace("{kind: bearer}", "{kind: header, name: x-second}"));
        assertThat(folder.problems()).isEmpty();
    }

    @Test
    void a_slot_that_a_credential_fills_can_not_be_kept_for_the_agent() {
        folder.policy("credential: up", "credential: up\n    keep: [Authorization]");
        assertThat(folder.problems()).hasSize(1).allMatch(line -> line.contains("scopes.read.keep"));
    }

    @Test
    void what_is_narrowed_is_a_credential_of_the_scope_whose_source_takes_it() {
        folder.policy("credential: up", "credential: up\n    narrow: {other: {repositories: [a]}}");
        assertThat(folder.problems())
                .singleElement()
                .asString()
                .contains("scopes.read.narrow: names other, which the scope does not put on requests; allowed: up");
        folder.policy("credential: up", "credential: up\n    narrow: {up: {repositories: [a]}}");
        assertThat(folder.problems())
                .singleElement()
                .asString()
                .contains("scopes.read.narrow.up: can't be: a source of kind")
                .contains("takes no narrowing; allowed: leave it out");
        for (String nothing : List.of("{}", "{up: {}}")) {
            folder.policy("credential: up", "credential: up\n    narrow: " + nothing);
            assertThat(folder.problems()).anyMatch(line -> line.contains("is empty; allowed:"));
        }
    }

    @Test
    void who_names_identities_that_exist() {
        folder.policy("identity: ci", "identity: cj");
        assertThat(folder.problems())
                .containsExactly("policies/fixer.yml:6: who: names identity cj, which does not exist; allowed: ci");
    }

    @Test
    void a_credential_that_the_isolation_may_not_reach_is_warned_of_and_refused_at_use() {
        assertThat(folder.warnings()).isEmpty();
        folder.write("credentials/up.yml", TestFolder.CREDENTIAL.replace("low", "high"));
        assertThat(folder.warnings())
                .hasSize(1)
                .allMatch(line -> line.contains("scopes.read") && line.contains("container"));
        RuleBook book = folder.book();
        var credential = book.credentials().get("up");
        assertThat(book.mayReach(Isolation.CONTAINER, credential)).isFalse();
        assertThat(book.mayReach(Isolation.SEALED_VM, credential)).isTrue();
    }

    @Test
    void a_line_that_says_an_endpoint_in_words_which_hands_out_credentials_is_warned_of() {
        folder.policy("GET /a/**\"]", "GET /a/**\", \"POST /a/oauth/token\", \"POST /a/*\"]");
        assertThat(folder.warnings())
                .singleElement()
                .asString()
                .startsWith("policies/fixer.yml: scopes.read.allow[1]: \"POST /a/oauth/token\" allows")
                .contains("POST **/token");
    }

    @Test
    void the_reach_of_a_radius_is_all_then_all_but_the_host_then_sealed_places_only() {
        var reach = RulesSettings.in(temp).reach();
        assertThat(reach.get(BlastRadius.LOW)).containsExactlyInAnyOrder(Isolation.values());
        assertThat(reach.get(BlastRadius.MEDIUM)).hasSize(5).doesNotContain(Isolation.HOST);
        assertThat(reach.get(BlastRadius.HIGH))
                .containsExactlyInAnyOrder(Isolation.SEALED_VM, Isolation.REMOTE_EPHEMERAL, Isolation.AIR_GAPPED);
    }

    @Test
    void the_digest_is_over_sorted_kind_name_and_bytes() {
        String text = TestFolder.POLICY;
        byte[] policy = text.getBytes(StandardCharsets.UTF_8);
        assertThat(Digests.of(List.of(Source.file(Kind.POLICY, "fixer", temp, policy))))
                .isEqualTo(
                        Digests.of(("policy\nfixer\n" + policy.length + "\n" + text).getBytes(StandardCharsets.UTF_8)));
        String before = folder.book().digest();
        assertThat(folder.book().digest()).isEqualTo(before);
        folder.policy("Is tried out", "Is tried out ");
        assertThat(folder.book().digest()).isNotEqualTo(before);
    }

    @Test
    void the_digest_of_a_book_does_not_depend_on_the_order_in_which_documents_were_found() {
        List<Source> found = RuleFolder.read(folder.root()).documents();
        assertThat(Digests.of(found.reversed())).isEqualTo(Digests.of(found));
    }

    /** Who may be a workload, and by whom a destination may be proven, changes with them as much as with a document. */
    @Test
    void the_digest_is_over_the_files_of_keys_and_roots_that_documents_name_too() {
        folder.policy("destination: https://api.up.test", "destination: {url: https://api.up.test, trust: corp.pem}");
        folder.write("policies/corp.pem", TestCertificates.authority().rootPem());
        folder.write("policies/unused.pem", "nobody names it");
        String first = folder.book().digest();
        folder.write("policies/unused.pem", "nobody names it still");
        assertThat(folder.book().digest()).isEqualTo(first);
        folder.write("policies/corp.pem", TestCertificates.authority().rootPem());
        String roots = folder.book().digest();
        folder.write(
                "identities/other.yml",
                TestFolder.IDENTITY
                        .replace("identity: ci", "identity: other")
                        .replace("issuer: https://", "issuer: https://other.")
                        .replace("isolation:", "trust: issuer.pem\nisolation:"));
        String before = folder.book().digest();
        folder.write("identities/issuer.pem", TestCertificates.authority().rootPem());
        String fetched = folder.book().digest();
        folder.write("identities/third.yml", """
                sallyport: v1
                identity: third
                kind: static
                issuer: https://third.test
                audience: https://broker.test
                isolation: container
                jwks: {file: third.json}
                """);
        folder.write(
                "identities/third.json",
                TestIssuer.at("https://third.test", "https://broker.test").jwks());
        String keys = folder.book().digest();
        folder.write(
                "credentials/other.yml", TestFolder.CREDENTIAL.replace("credential: up", "credential: other") + """
                account: {url: "https://api.up.test/user", member: /login, is: [bot], trust: up.pem}
                """);
        String asked = folder.book().digest();
        folder.write("credentials/up.pem", TestCertificates.authority().rootPem());
        String answered = folder.book().digest();
        folder.write(
                "identities/third.json",
                TestIssuer.at("https://third.test", "https://broker.test").jwks());
        assertThat(Set.of(
                        first,
                        roots,
                        before,
                        fetched,
                        keys,
                        asked,
                        answered,
                        folder.book().digest()))
                .hasSize(8);
    }

    @Test
    void what_a_scope_trusts_is_a_file_of_certificates_that_nobody_else_can_write() throws Exception {
        TestFolder folder = new TestFolder(temp.resolve("rules"));
        folder.policy("destination: https://api.up.test", "destination: {url: https://api.up.test, trust: corp.pem}");
        assertThat(folder.problems())
                .singleElement()
                .asString()
                .contains("policies/fixer.yml:11:", "trust: can't be read");

        java.nio.file.Path file = folder.write("policies/corp.pem", "-----BEGIN PRIVATE KEY-----\nsecret\n");
        assertThat(folder.problems())
                .singleElement()
                .asString()
                .contains("trust:")
                .doesNotContain("secret");
        folder.write("policies/corp.pem", "");
        assertThat(folder.problems()).singleElement().asString().contains("trust: holds no certificate");

        folder.write(
                "policies/corp.pem",
                io.sallyport.testing.TestCertificates.authority().rootPem());
        assertThat(folder.problems()).isEmpty();

        folder.policy(
                "destination: https://api.up.test", "destination: {url: \"http://api.up.test\", trust: corp.pem}");
        assertThat(folder.problems()).anyMatch(problem -> problem.contains("is for TLS, and this is plain http"));
        folder.policy("destination: https://api.up.test", "destination: {url: https://api.up.test, trust: corp.pem}");
        java.nio.file.Files.setPosixFilePermissions(
                file, java.nio.file.attribute.PosixFilePermissions.fromString("rw-rw-rw-"));
        assertThat(folder.problems())
                .isNotEmpty()
                .allSatisfy(problem -> assertThat(problem).contains("written to by others"));
    }

    @Test
    void a_client_s_certificate_is_for_https_alone_and_one_connection_proves_one_thing() {
        TestFolder folder = new TestFolder(temp.resolve("rules"));
        String certificate = TestFolder.CREDENTIAL.replace("{kind: bearer}", "{kind: client-certificate}");
        folder.write("credentials/up.yml", certificate);
        assertThat(folder.problems()).isEmpty();

        folder.write("credentials/two.yml", certificate.replace("credential: up", "credential: two"));
        folder.policy("credential: up", "credential: [up, two]");
        assertThat(folder.problems()).singleElement().asString().contains("fills a slot that another one fills");

        folder.write("credentials/two.yml", TestFolder.CREDENTIAL.replace("credential: up", "credential: two"));
        assertThat(folder.problems()).as("a certificate and a token together").isEmpty();

        folder.write(
                "credentials/up.yml",
                certificate.replace("[https://api.up.test]", "[https://api.up.test, \"http://api.up.test\"]"));
        assertThat(folder.problems())
                .anyMatch(problem -> problem.contains("plain http, where nothing asks for a certificate"));
    }

    @Test
    void a_host_is_either_intercepted_or_passed_through_in_the_whole_of_a_policy() {
        TestFolder folder = new TestFolder(temp.resolve("rules"));
        String credential = "credential: up";
        String passed = """
                credential: up
                  raw:
                    reason: Pins its certificate
                    destination: %s
                    intercept: false
                    wide: It pins
                    credential: none
                """;
        folder.policy(credential, passed.formatted("https://raw.up.test"));
        assertThat(folder.problems()).isEmpty();

        for (String same :
                java.util.List.of("https://api.up.test", "https://API.up.test:443", "\"https://*.up.test\"")) {
            folder.policy(credential, passed.formatted(same));
            assertThat(folder.problems())
                    .as(same)
                    .singleElement()
                    .asString()
                    .contains("scopes.raw.intercept: is false, and scopes.read has https://api.up.test");
        }
        folder.policy(credential, passed.formatted("https://api.up.test:8443"));
        assertThat(folder.problems()).as("another port").isEmpty();
        folder.policy(credential, passed.formatted("http://raw.up.test"));
        assertThat(folder.problems()).anyMatch(it -> it.contains("has no server name that a tunnel could be held to"));
        folder.policy(credential, passed.formatted("{url: \"https://10.1.2.3\", addresses: [10.0.0.0/8]}"));
        assertThat(folder.problems()).anyMatch(it -> it.contains("has no server name that a tunnel could be held to"));
    }
}
