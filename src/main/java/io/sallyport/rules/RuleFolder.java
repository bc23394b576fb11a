package io.sallyport.rules;

import io.sallyport.identity.Identities;
import io.sallyport.identity.Verification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The folder of documents: {@code identities}, {@code credentials} and {@code policies}, one document a file. */
public final class RuleFolder {

    static final String ENDING = ".yml";

    /** What a document may name beside it: an identity's keys, and the roots of a policy's destinations. */
    private static final Map<Kind, Set<String>> BESIDE = Map.of(
            Kind.IDENTITY, Set.of(".pem", ".crt", ".json", ".jwks"),
            Kind.CREDENTIAL, Set.of(".pem", ".crt"),
            Kind.POLICY, Set.of(".pem", ".crt"));

    private final Path rules;
    private final List<Source> documents = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private RuleFolder(Path rules) {
        this.rules = rules;
    }

    /** What a check found. */
    public sealed interface Checked {

        /** @param warnings what is right and yet will surprise somebody, one line each */
        record Right(RuleBook book, List<String> warnings) implements Checked {}

        /** @param problems as in {@code policies/x.yml:12: scopes.read.allow[0]: …} */
        record Wrong(List<String> problems) implements Checked {}
    }

    /** Reads, compiles and cross-checks a folder without a broker, a database or a network. */
    public static Checked check(Path rules) {
        RuleFolder folder = read(rules);
        if (!folder.problems.isEmpty()) {
            return new Checked.Wrong(folder.problems);
        }
        BookCompiler compiler = new BookCompiler(RulesSettings.in(rules), identities -> new Offline());
        return switch (compiler.compile(folder.documents)) {
            case BookCompiler.Outcome.Right(CompiledBook book) -> new Checked.Right(book, Warnings.about(book));
            case BookCompiler.Outcome.Wrong(List<String> problems) -> new Checked.Wrong(problems);
        };
    }

    static RuleFolder read(Path rules) {
        RuleFolder folder = new RuleFolder(rules);
        if (Files.isDirectory(rules)) {
            folder.readAll();
        } else {
            folder.problems.add(
                    rules
                            + ": is not there; allowed: a folder with identities, credentials and policies, each a folder of NAME.yml");
        }
        return folder;
    }

    List<Source> documents() {
        return documents;
    }

    List<String> problems() {
        return problems;
    }

    private void readAll() {
        for (Path entry : entries(rules)) {
            String name = name(entry);
            boolean known =
                    Stream.of(Kind.values()).anyMatch(kind -> kind.folder().equals(name));
            if (!known || !Files.isDirectory(entry)) {
                problems.add(name + ": does not belong here; allowed: the folders identities, credentials, policies");
            }
        }
        for (Kind kind : Kind.values()) {
            Path folder = rules.resolve(kind.folder());
            if (Files.isDirectory(folder)) {
                entries(folder).forEach(file -> readOne(kind, file));
            }
        }
    }

    private void readOne(Kind kind, Path file) {
        String name = name(file);
        if (name.endsWith(ENDING) && Files.isRegularFile(file)) {
            try {
                documents.add(Source.file(
                        kind, name.substring(0, name.length() - ENDING.length()), rules, Files.readAllBytes(file)));
            } catch (IOException unreadable) {
                problems.add(kind.folder() + "/" + name + ": can't be read: "
                        + unreadable.getClass().getSimpleName());
            }
        } else if (beside(kind).stream().noneMatch(name::endsWith)) {
            problems.add(kind.folder() + "/" + name + ": does not belong here; allowed: NAME.yml"
                    + switch (kind) {
                        case IDENTITY -> ", and keys in .pem, .crt, .json, .jwks";
                        case CREDENTIAL, POLICY -> ", and roots in .pem, .crt";
                    });
        }
    }

    /** Sorted; what begins with a dot belongs to editors and to whatever mounted the folder. */
    private List<Path> entries(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(entry -> !name(entry).startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            problems.add(folder + ": can't be read: " + unreadable.getClass().getSimpleName());
            return List.of();
        }
    }

    private static String name(Path entry) {
        return String.valueOf(entry.getFileName());
    }

    /** A book that was only checked knows nobody. */
    private record Offline() implements Identities {

        @Override
        public Verification verify(String token) {
            return new Verification.Unavailable("the rule book was compiled for a check");
        }

        @Override
        public boolean issued(String token) {
            return false;
        }
    }

    private static Set<String> beside(Kind kind) {
        return BESIDE.getOrDefault(kind, Set.of());
    }
}
