package io.sallyport.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sallyport.identity.Identities;
import io.sallyport.identity.Verification;
import io.sallyport.policy.Policy;
import io.sallyport.store.SqliteStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadedRuleBooksTest {

    private static final String OTHER = TestFolder.POLICY.replace("policy: fixer", "policy: other");

    @TempDir
    private Path temp;

    private TestFolder folder;
    private SqliteStore store;

    @BeforeEach
    void open() {
        folder = new TestFolder(temp.resolve("rules"));
        store = SqliteStore.open(temp.resolve("data"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private LoadedRuleBooks start() {
        Clock clock = Clock.fixed(Instant.parse("2026-12-01T00:00:00Z"), ZoneOffset.UTC);
        RulesSettings settings = RulesSettings.in(folder.root());
        BookCompiler compiler = new BookCompiler(settings, identities -> new NoIdentities());
        return new LoadedRuleBooks(
                settings.rules(), compiler, new JdbcDocuments(store.writer(), store.readers(), clock));
    }

    private record NoIdentities() implements Identities {

        @Override
        public Verification verify(String token) {
            return new Verification.Rejected("nobody is known");
        }

        @Override
        public boolean issued(String token) {
            return false;
        }
    }

    @Test
    void start_is_refused_on_bad_documents_with_all_that_is_wrong() {
        folder.policy("owner: team@example.com\n", "");
        assertThatThrownBy(this::start)
                .isInstanceOf(BadRules.class)
                .hasMessageContaining("policies/fixer.yml:1: owner: is missing");
    }

    @Test
    void start_is_refused_where_others_may_write() throws Exception {
        Files.setPosixFilePermissions(
                folder.root().resolve("policies/fixer.yml"), PosixFilePermissions.fromString("rw-r--rw-"));
        assertThatThrownBy(this::start)
                .isInstanceOf(BadRules.class)
                .hasMessageContaining("fixer.yml: can be written to by others");
    }

    @Test
    void documents_are_read_at_start_and_on_reload_and_never_by_watching() {
        RuleBooks books = start();
        String before = books.current().digest();
        folder.policy("Is tried out", "Is tried out again");
        assertThat(books.current().digest()).isEqualTo(before);
        assertThat(books.put("policy", "other", OTHER, "kim")).isInstanceOf(RuleBooks.Reload.Swapped.class);
        assertThat(books.current().policies().get("fixer").reason()).isEqualTo("Is tried out");
        assertThat(books.reload()).isInstanceOf(RuleBooks.Reload.Swapped.class);
        assertThat(books.current().policies().get("fixer").reason()).isEqualTo("Is tried out again");
    }

    @Test
    void a_bad_reload_keeps_the_old_book_and_says_what_is_wrong_until_a_good_one() {
        RuleBooks books = start();
        RuleBook before = books.current();
        List<RuleBook> heard = new ArrayList<>();
        books.onSwapped(heard::add);
        folder.policy("GET /a/**", "GET a");
        assertThat(books.reload()).isInstanceOf(RuleBooks.Reload.Kept.class);
        assertThat(books.current()).isSameAs(before);
        assertThat(books.problems()).hasSize(1);
        assertThat(heard).isEmpty();
        folder.policy("GET /a/**", "GET /b");
        books.reload();
        assertThat(books.problems()).isEmpty();
        assertThat(heard).containsExactly(books.current());
        assertThat(books.current()).isNotSameAs(before);
    }

    @Test
    void a_document_of_the_database_outlives_a_restart() {
        start().put("policy", "other", OTHER, "kim");
        assertThat(start().current().policies()).containsOnlyKeys("fixer", "other");
    }

    @Test
    void a_bad_document_is_neither_written_nor_in_force() {
        RuleBooks books = start();
        RuleBooks.Reload reload =
                books.put("policy", "other", OTHER.replace("credential: up", "credential: down"), "kim");
        assertThat(reload)
                .isInstanceOfSatisfying(
                        RuleBooks.Reload.Kept.class,
                        kept -> assertThat(kept.problems().getFirst())
                                .startsWith("database:policies/other:13: scopes.read.credential:"));
        assertThat(books.put("polici", "other", OTHER, "kim")).isInstanceOf(RuleBooks.Reload.Kept.class);
        assertThat(start().current().policies()).containsOnlyKeys("fixer");
    }

    @Test
    void a_name_has_one_home() {
        RuleBooks books = start();
        assertThat(books.put("policy", "fixer", TestFolder.POLICY, "kim"))
                .isInstanceOfSatisfying(
                        RuleBooks.Reload.Kept.class,
                        kept -> assertThat(kept.problems().getFirst()).contains("second home"));
        books.put("policy", "other", OTHER, "kim");
        folder.write("policies/other.yml", OTHER);
        assertThat(books.reload()).isInstanceOf(RuleBooks.Reload.Kept.class);
    }

    @Test
    void documents_in_files_can_not_be_removed_and_neither_can_what_others_build_on() {
        RuleBooks books = start();
        assertThat(books.remove("policy", "fixer")).isInstanceOf(RuleBooks.Reload.Kept.class);
        books.put("credential", "down", TestFolder.CREDENTIAL.replace("credential: up", "credential: down"), "kim");
        books.put("policy", "other", OTHER.replace("credential: up", "credential: down"), "kim");
        assertThat(books.remove("credential", "down")).isInstanceOf(RuleBooks.Reload.Kept.class);
        assertThat(books.remove("policy", "other")).isInstanceOf(RuleBooks.Reload.Swapped.class);
        assertThat(books.remove("credential", "down")).isInstanceOf(RuleBooks.Reload.Swapped.class);
        assertThat(start().current().credentials()).containsOnlyKeys("up");
    }

    @Test
    void a_policy_is_kept_as_it_stood_when_a_grant_was_given_and_can_be_read_after_a_restart() {
        RuleBooks books = start();
        Policy given = books.current().policies().get("fixer");
        keep(books, given);
        keep(books, given);
        folder.policy("GET /a/**", "GET /b");
        books.reload();
        assertThat(books.version(given.digest())).containsSame(given);
        assertThat(books.versionInMemory(given.digest())).containsSame(given);
        RuleBooks restarted = start();
        assertThat(restarted.versionInMemory(given.digest()))
                .as("never from the store")
                .isEmpty();
        Policy again = restarted.version(given.digest()).orElseThrow();
        assertThat(restarted.versionInMemory(given.digest())).containsSame(again);
        assertThat(again.scopes().get("read").allow()).hasToString("[GET /a/**]");
        assertThat(again.digest()).isEqualTo(given.digest());
        assertThat(books.version("0".repeat(64))).isEmpty();
    }

    @Test
    void a_kept_version_that_was_tampered_with_is_no_version() {
        RuleBooks books = start();
        Policy given = books.current().policies().get("fixer");
        keep(books, given);
        store.writer()
                .write(tx -> tx.prepare("UPDATE policy_version SET text = replace(text, '/a/', '/')")
                        .executeUpdate());
        folder.policy("GET /a/**", "GET /b");
        assertThat(start().version(given.digest())).isEmpty();
    }

    private void keep(RuleBooks books, Policy policy) {
        store.writer().write(tx -> {
            books.keepVersion(tx, policy);
            return true;
        });
    }
}
