package io.sallyport.credential;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.sallyport.credential.source.Fetched;
import io.sallyport.credential.source.SecretSource.Sharing;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.credential.source.SourceTools;
import io.sallyport.document.Keys;
import io.sallyport.document.Problem;
import io.sallyport.http.Fields;
import io.sallyport.net.GuardedExchange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Our credential, and whose account it opens: what the destination says of it decides whether it is used. */
class AccountCheckTest {

    private static final Map<String, Object> ACCOUNT =
            Map.of("url", "https://api.example.com/user", "member", "/login", "is", List.of("acme-bot", "acme-ci"));

    private final List<GuardedExchange.Request> asked = new ArrayList<>();
    private final List<GuardedExchange.Answer> answers = new ArrayList<>();

    private GuardedExchange.Answer answer(GuardedExchange.Request request) throws IOException {
        asked.add(request);
        if (answers.isEmpty()) {
            throw new IOException("no route to " + request.fields());
        }
        return answers.size() == 1 ? answers.getFirst() : answers.removeFirst();
    }

    private void answers(int status, String content) {
        answers.add(new GuardedExchange.Answer(status, Fields.EMPTY, content.getBytes(UTF_8)));
    }

    private static Map<String, Object> document(Map<String, Object> inject, Map<String, Object> account) {
        Map<String, Object> keys = TestCredentials.keys(Map.of("kind", "env", "name", "SALLYPORT_SECRET_A"), inject);
        keys.put("account", account);
        return keys;
    }

    private SourceTools tools() {
        return TestSources.tools(
                this::answer, Clock.systemUTC(), Path.of("no-such-folder"), name -> "secret-of-the-bot");
    }

    private Fetched fetched(Map<String, Object> inject) throws SourceFault {
        return TestSources.fetched(TestCredentials.compiled(document(inject, ACCOUNT)), null, tools());
    }

    private SourceFault fault(String content) throws SourceFault {
        answers.clear();
        answers(200, content);
        return ((Fetched.Unfit) fetched(TestCredentials.BEARER)).fault();
    }

    @Test
    void a_secret_that_opens_the_right_account_is_used() throws SourceFault {
        answers(200, "{\"id\": 7, \"login\": \"acme-ci\"}");
        assertThat(fetched(TestCredentials.BEARER)).isInstanceOf(Fetched.Given.class);
        GuardedExchange.Request request = asked.getFirst();
        assertThat(request.method() + " " + request.uri()).isEqualTo("GET https://api.example.com/user");
        assertThat(request.fields().all("authorization")).containsExactly("Bearer secret-of-the-bot");
        assertThat(asked).hasSize(1);
    }

    @Test
    void one_that_opens_another_is_not_whatever_the_answer_looks_like() throws SourceFault {
        assertThat(fault("{\"login\": \"mallory\"}"))
                .hasMessage("it opens the account \"mallory\" by https://api.example.com/user,"
                        + " and the document allows acme-bot, acme-ci");
        for (String content : List.of("{}", "[]", "{\"login\": null}", "{\"login\": {\"login\": \"acme-bot\"}}")) {
            assertThat(fault(content)).hasMessageStartingWith("it opens the account of nobody by");
        }
        assertThat(fault("{\"login\": \"ACME-BOT\"}")).hasMessageContaining("\"ACME-BOT\"");
        assertThat(fault("{\"login\": \"x\\n" + "y".repeat(100) + "\"}"))
                .hasMessageContaining("\"x " + "y".repeat(58) + "…\"");
        assertThat(fault("<html>").kind()).isEqualTo(SourceFault.Kind.BAD);
        assertThat(fault("<html>")).hasMessageEndingWith("gave an answer that is no JSON");
    }

    @Test
    void where_it_can_not_be_told_nothing_is_used() throws SourceFault {
        SourceFault silent = ((Fetched.Unfit) fetched(TestCredentials.BEARER)).fault();
        assertThat(silent.kind()).isEqualTo(SourceFault.Kind.DOWN);
        assertThat(silent).hasMessage("https://api.example.com/user gave no answer (IOException)");
        for (int status : List.of(302, 404, 500, 503)) {
            answers.clear();
            answers(status, "{\"login\": \"acme-bot\"}");
            assertThat(((Fetched.Unfit) fetched(TestCredentials.BEARER)).fault().kind())
                    .isEqualTo(SourceFault.Kind.DOWN);
        }
        answers.clear();
        answers(401, "{\"login\": \"acme-bot\"}");
        assertThat(((Fetched.Unfit) fetched(TestCredentials.BEARER)).fault().kind())
                .isEqualTo(SourceFault.Kind.DENIED);
    }

    @Test
    void it_is_asked_with_the_credentials_own_way_in() throws SourceFault {
        answers(200, "{\"login\": \"acme-bot\"}");
        fetched(Map.of("kind", "query", "name", "api_key"));
        assertThat(asked.getLast().uri()).hasToString("https://api.example.com/user?api_key=secret-of-the-bot");
        fetched(Map.of("kind", "basic", "user", "bot"));
        assertThat(asked.getLast().fields().first("authorization").orElseThrow())
                .startsWith("Basic ");
        assertThat(TestSources.text(
                        TestCredentials.compiled(document(Map.of("kind", "cookie", "name", "sid"), ACCOUNT)),
                        null,
                        tools()))
                .isEqualTo("secret-of-the-bot");
        assertThat(asked.getLast().fields().all("cookie")).containsExactly("sid=secret-of-the-bot");
    }

    @Test
    void a_secret_of_another_account_is_given_back_and_no_request_gets_it() {
        RemoteSource source = new RemoteSource(Sharing.SHARED);
        var document = (CompiledCredential) TestCredentials.compiled(document(TestCredentials.BEARER, ACCOUNT));
        AccountCheck check = AccountCheck.read(
                        Keys.of(Map.of("account", ACCOUNT)), document.destinations(), Optional.of(document.injection()))
                .orElseThrow();
        CompiledCredential credential = new CompiledCredential(
                "acme",
                document.destinations(),
                document.blastRadius(),
                source,
                document.injection(),
                Optional.of(check));
        AtomicLong now = new AtomicLong(1);
        WarmSecrets warm = TestSources.warm(tools(), Runnable::run, now::get);
        answers(200, "{\"login\": \"mallory\"}");

        assertThat(warm.test(credential).join())
                .isInstanceOfSatisfying(
                        HeldSecrets.Trial.Fails.class,
                        fails -> assertThat(fails.cause()).contains("\"mallory\""));
        await().until(() -> source.revoked.size() == 1);

        answers.clear();
        answers(200, "{\"login\": \"acme-bot\"}");
        assertThat(warm.test(credential).join()).isInstanceOf(HeldSecrets.Trial.Works.class);
        assertThat(source.revoked).hasSize(1);
    }

    @Test
    void what_can_not_be_asked_is_said_when_the_document_is_read() {
        assertThat(problems(TestCredentials.BEARER, "https://who.example.com/me", "/login"))
                .contains("is at none of the destinations");
        assertThat(problems(TestCredentials.BEARER, "https://api.example.com/me", "login"))
                .contains("names of members after slashes");
        assertThat(problems(Map.of("kind", "form", "name", "token"), "https://api.example.com/me", "/login"))
                .contains("can't be asked with this injection");
        assertThat(problems(
                        Map.of("kind", "placeholder", "in", Map.of("kind", "bearer")),
                        "https://api.example.com/me",
                        "/login"))
                .contains("can't be asked with this injection");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> problems(TestCredentials.BEARER, "https://api.example.com/me", "/a/login"));
    }

    private static String problems(Map<String, Object> inject, String url, String member) {
        return TestCredentials.problems(
                        document(inject, Map.of("url", url, "member", member, "is", List.of("acme-bot"))))
                .stream()
                .map(Problem::toString)
                .reduce("", (all, one) -> all + one + "\n");
    }

    /** Adding the check is no new place for the secret; the versions differ, so that what is held is asked about. */
    @Test
    void the_check_changes_the_version_and_not_the_places() {
        var with = (CompiledCredential) TestCredentials.compiled(document(TestCredentials.BEARER, ACCOUNT));
        Map<String, Object> keys = document(TestCredentials.BEARER, ACCOUNT);
        keys.remove("account");
        var without = (CompiledCredential) TestCredentials.compiled(keys);
        assertThat(with.version()).isNotEqualTo(without.version());
        assertThat(with.faceDigest()).isEqualTo(without.faceDigest());
        assertThat(with.source()).hasToString(without.source().toString());
    }
}
