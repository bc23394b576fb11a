package io.sallyport.credential.source;

import io.sallyport.credential.NoRefreshTokens;
import io.sallyport.document.Compiled;
import io.sallyport.document.Keys;
import io.sallyport.document.Problem;
import io.sallyport.grant.Grant;
import io.sallyport.net.GuardedExchange;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** A source of AWS as a document says it, and what it answers. */
final class AwsCase {

    private AwsCase() {}

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(String yaml) {
        return new YAMLMapper().readValue(yaml, Map.class);
    }

    /** @param folder of the document */
    static SecretSource source(String yaml, Path folder) {
        Keys keys = Keys.of(map(yaml), folder);
        Optional<SecretSource> source = SourceKinds.read(keys);
        if (keys.compiled(() -> "") instanceof Compiled.Rejected<String>(List<Problem> wrong)) {
            throw new AssertionError(wrong);
        }
        return source.orElseThrow();
    }

    /** What is wrong with it, as {@code key: what}. */
    static List<String> problems(String yaml) {
        Keys keys = Keys.of(map(yaml));
        SourceKinds.read(keys);
        return said(keys);
    }

    static SecretSource narrowed(SecretSource source, String yaml) {
        Keys keys = Keys.of(map(yaml));
        Optional<SecretSource> narrowed = source.narrowed(keys);
        if (!said(keys).isEmpty()) {
            throw new AssertionError(said(keys));
        }
        return narrowed.orElseThrow();
    }

    static List<String> narrowingProblems(SecretSource source, String yaml) {
        Keys keys = Keys.of(map(yaml));
        Optional<SecretSource> narrowed = source.narrowed(keys);
        List<String> said = said(keys);
        if (narrowed.isPresent() == !said.isEmpty()) {
            throw new AssertionError("a problem and a source, or neither: " + said);
        }
        return said;
    }

    private static List<String> said(Keys keys) {
        return keys.compiled(() -> "") instanceof Compiled.Rejected<String>(List<Problem> wrong)
                ? wrong.stream()
                        .map(problem -> problem.where() + ": " + problem.what())
                        .toList()
                : List.of();
    }

    static SourceTools tools(GuardedExchange client, Clock clock, Path secrets, Map<String, String> environment) {
        return new SourceTools(
                (credential, face, known) -> {
                    throw new AssertionError("nothing was written in");
                },
                new NoRefreshTokens(),
                new Pauses(clock),
                new SecretFolder(secrets),
                environment::get,
                client,
                clock,
                null); // no server of Vault: nothing here asks for one
    }

    static Fetch fetch(SourceTools tools, @Nullable Object known, @Nullable Grant grant) {
        return new Fetch("aws-agents", "", known, false, grant, tools);
    }

    static String part(Fetched fetched, String name) {
        Fetched.Given given = (Fetched.Given) fetched;
        return new String(given.material().part(name).orElseThrow().bytes(), StandardCharsets.UTF_8);
    }

    static Object stamp(Fetched fetched) {
        return ((Fetched.Given) fetched).stamp();
    }
}
