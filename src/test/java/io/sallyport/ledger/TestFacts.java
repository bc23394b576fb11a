package io.sallyport.ledger;

import io.sallyport.http.Origin;
import io.sallyport.testing.TestLedger;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Facts as the hop would state them. */
final class TestFacts {

    static final Origin API = new Origin("https", "api.github.com", 443);

    private TestFacts() {}

    static String sha(String text) {
        try {
            return Sha256.of(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Fact.Used used(String content) {
        return used(content, true, sha("request of " + content));
    }

    static Fact.Used used(String content, boolean complete, @Nullable String request) {
        return used(TestLedger.ACTOR, "/repos/acme/site", content, complete, request);
    }

    static Fact.Used used(Fact.Actor actor, String target, String content, boolean complete, @Nullable String request) {
        return new Fact.Used(
                actor,
                "read",
                "GET",
                API,
                target,
                content.length(),
                sha(content),
                complete,
                request,
                List.of("github-acme"),
                List.of("authorization"));
    }

    static Fact.Window window(long use, String before, String content, boolean last) {
        return new Fact.Window(
                TestLedger.ACTOR,
                use,
                before.length(),
                content.length(),
                sha(before + content),
                last,
                last ? sha("request of " + before + content) : null);
    }

    static Fact.Outcome answered(long use) {
        return new Fact.Outcome(
                TestLedger.ACTOR, use, "answered", 200, "140.82.121.6:443", List.of("github-acme"), 0, 12, false, null);
    }
}
