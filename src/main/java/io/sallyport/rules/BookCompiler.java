package io.sallyport.rules;

import io.sallyport.credential.Credential;
import io.sallyport.credential.CredentialCompiler;
import io.sallyport.document.Compiled;
import io.sallyport.document.Keys;
import io.sallyport.document.Problem;
import io.sallyport.document.Reading;
import io.sallyport.identity.Identities;
import io.sallyport.identity.Identity;
import io.sallyport.identity.IdentityCompiler;
import io.sallyport.policy.Policies;
import io.sallyport.policy.Policy;
import io.sallyport.policy.Scope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Compiles all documents together: each by itself, then one against another. It says everything that is wrong, and makes a book only of what is right as a whole. */
final class BookCompiler {

    private final RulesSettings settings;
    private final Function<Collection<Identity>, Identities> verifiers;

    BookCompiler(RulesSettings settings, Function<Collection<Identity>, Identities> verifiers) {
        this.settings = settings;
        this.verifiers = verifiers;
    }

    sealed interface Outcome {
        record Right(CompiledBook book) implements Outcome {}

        record Wrong(List<String> problems) implements Outcome {}
    }

    Outcome compile(Collection<Source> sources) {
        Draft draft = new Draft();
        sources.stream().sorted(Source.BY_KIND_AND_NAME).forEach(draft::add);
        draft.crossCheck(settings.issuer());
        if (!draft.problems.isEmpty()) {
            return new Outcome.Wrong(List.copyOf(draft.problems));
        }
        return new Outcome.Right(new CompiledBook(
                List.copyOf(sources),
                new CompiledBook.Parts(draft.identities, draft.credentials, draft.policies, draft.roots),
                verifiers.apply(draft.identities.values()),
                settings,
                Digests.of(
                        sources,
                        new NamedFiles(draft.identities.values(), draft.credentials.values(), draft.roots).sha256())));
    }

    /** One policy by itself, as it once stood; empty where this version of the product can't read it any more. */
    static Optional<Policy> policy(Source source) {
        Draft draft = new Draft();
        draft.add(source);
        return draft.problems.isEmpty() ? Optional.ofNullable(draft.policies.get(source.name())) : Optional.empty();
    }

    /** A book in the making. */
    private static final class Draft {

        private final Map<String, Identity> identities = new LinkedHashMap<>();
        private final Map<String, Credential> credentials = new LinkedHashMap<>();
        private final Map<String, Policy> policies = new LinkedHashMap<>();
        private final Map<String, PrivateRoots> roots = new HashMap<>();
        private final Map<Source, ParsedDocument> parsed = new LinkedHashMap<>();
        private final Map<String, Source> homes = new HashMap<>();
        private final List<String> problems = new ArrayList<>();

        void add(Source source) {
            Source other = homes.putIfAbsent(source.kind() + "/" + source.name(), source);
            if (other != null) {
                problems.add(source.place() + ": has a second home in " + other.place() + "; allowed: one");
                return;
            }
            try {
                ParsedDocument document = ParsedDocument.of(source.bytes());
                parsed.put(source, document);
                List<Problem> wrong = Header.problems(source, document.keys());
                say(source, wrong.isEmpty() ? compile(source, Keys.of(document.keys(), source.folder())) : wrong);
            } catch (Yaml.Refused refused) {
                problems.add(source.place() + ":" + refused.line() + ": " + refused.getMessage());
            }
        }

        private List<Problem> compile(Source source, Keys keys) {
            String name = source.name();
            keys.known(Header.VERSION_KEY, source.kind().key());
            return switch (source.kind()) {
                case IDENTITY -> taken(IdentityCompiler.compile(name, keys, source.folder()), name, identities);
                case CREDENTIAL -> taken(CredentialCompiler.compile(name, keys), name, credentials);
                case POLICY -> taken(Policies.compile(name, keys, source.digest()), name, policies);
            };
        }

        private static <T> List<Problem> taken(Compiled<? extends T> compiled, String name, Map<String, T> into) {
            return switch (compiled) {
                case Compiled.Ok<? extends T>(var value) -> {
                    into.put(name, value);
                    yield List.of();
                }
                case Compiled.Rejected<? extends T>(List<Problem> wrong) -> wrong;
            };
        }

        /** Only when each document is right by itself: else one mistake would be said once for every document that builds on it. */
        void crossCheck(@Nullable String issuer) {
            if (!problems.isEmpty()) {
                return;
            }
            Map<String, Problem> ofIdentities = IdentityCompiler.crossCheck(identities.values(), issuer);
            CrossChecks checks = new CrossChecks(identities.keySet(), credentials);
            for (Source source : parsed.keySet()) {
                switch (source.kind()) {
                    case IDENTITY ->
                        say(
                                source,
                                Optional.ofNullable(ofIdentities.get(source.name())).stream()
                                        .toList());
                    case CREDENTIAL -> {}
                    case POLICY ->
                        Optional.ofNullable(policies.get(source.name())).ifPresent(policy -> {
                            say(source, checks.problems(policy));
                            say(source, readRoots(policy, source.folder()));
                        });
                }
            }
        }

        /** The files of roots that a policy's scopes trust, each read once for a book: all policies have one folder. */
        private List<Problem> readRoots(Policy policy, Path folder) {
            List<Problem> wrong = new ArrayList<>();
            for (Scope scope : policy.scopes().values()) {
                scope.trust().filter(file -> !roots.containsKey(file)).ifPresent(file -> {
                    switch (PrivateRoots.read(folder.resolve(file))) {
                        case Reading.Read<PrivateRoots>(PrivateRoots read) -> roots.put(file, read);
                        case Reading.Unreadable<PrivateRoots>(String what) ->
                            wrong.add(new Problem("scopes." + scope.name() + ".destination.trust", what));
                    }
                });
            }
            return wrong;
        }

        private void say(Source source, List<Problem> wrong) {
            ParsedDocument document = parsed.get(source);
            if (document != null) {
                problems.addAll(Header.lines(source, document, wrong));
            }
        }
    }
}
