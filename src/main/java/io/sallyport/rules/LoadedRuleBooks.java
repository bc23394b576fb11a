package io.sallyport.rules;

import io.sallyport.policy.Policy;
import io.sallyport.store.Tx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The book in force. Reading it is one volatile read; changing it is one change at a time, so that a later reload is never overtaken by an
 * earlier one.
 */
final class LoadedRuleBooks implements RuleBooks {

    private final Path rules;
    private final BookCompiler compiler;
    private final Documents documents;
    private final List<Consumer<RuleBook>> listeners = new CopyOnWriteArrayList<>();

    /** Every version met since the start, by digest. It grows with reloads, each of which a person asks for. */
    private final Map<String, Source> sources = new ConcurrentHashMap<>();

    private final Map<String, Policy> versions = new ConcurrentHashMap<>();
    private volatile CompiledBook book;
    private volatile List<String> problems = List.of();

    /** @throws BadRules when the documents make no book, or others may write to them */
    LoadedRuleBooks(Path rules, BookCompiler compiler, Documents documents) {
        this.rules = rules;
        this.compiler = compiler;
        this.documents = documents;
        List<String> open = FolderPermissions.writableByOthers(rules);
        if (!open.isEmpty()) {
            throw new BadRules(open);
        }
        this.book = switch (read()) {
            case BookCompiler.Outcome.Right(CompiledBook read) -> read;
            case BookCompiler.Outcome.Wrong(List<String> wrong) -> throw new BadRules(wrong);
        };
        remember(book);
    }

    @Override
    public RuleBook current() {
        return book;
    }

    @Override
    public synchronized Reload reload() {
        List<String> open = FolderPermissions.writableByOthers(rules);
        BookCompiler.Outcome outcome = open.isEmpty() ? read() : new BookCompiler.Outcome.Wrong(open);
        return switch (outcome) {
            case BookCompiler.Outcome.Right(CompiledBook next) -> {
                problems = List.of();
                yield swap(next);
            }
            case BookCompiler.Outcome.Wrong(List<String> wrong) -> {
                problems = List.copyOf(wrong);
                yield new Reload.Kept(problems);
            }
        };
    }

    @Override
    public synchronized Reload put(String kind, String name, String text, String by) {
        Optional<Kind> known = Kind.of(kind);
        if (known.isEmpty()) {
            return new Reload.Kept(List.of(kind + " is no kind; allowed: identity, credential, policy"));
        }
        Source written = Source.database(known.get(), name, rules, text);
        List<Source> all = without(other -> other.home().equals(Source.IN_DATABASE) && other.isAbout(written));
        all.add(written);
        return switch (compiler.compile(all)) {
            case BookCompiler.Outcome.Wrong(List<String> wrong) -> new Reload.Kept(wrong);
            case BookCompiler.Outcome.Right(CompiledBook next) -> {
                documents.put(new Documents.Row(kind, name, text), by);
                yield swap(next);
            }
        };
    }

    @Override
    public synchronized Reload remove(String kind, String name) {
        Predicate<Source> meant = source -> source.home().equals(Source.IN_DATABASE)
                && source.kind().key().equals(kind)
                && source.name().equals(name);
        if (book.sources().stream().noneMatch(meant)) {
            return new Reload.Kept(
                    List.of("the database has no " + kind + " " + name + "; documents in files are changed there"));
        }
        return switch (compiler.compile(without(meant))) {
            case BookCompiler.Outcome.Wrong(List<String> wrong) -> new Reload.Kept(wrong);
            case BookCompiler.Outcome.Right(CompiledBook next) -> {
                documents.remove(kind, name);
                yield swap(next);
            }
        };
    }

    @Override
    public List<String> problems() {
        return problems;
    }

    @Override
    public void onSwapped(Consumer<RuleBook> listener) {
        listeners.add(listener);
    }

    /** @throws IllegalArgumentException for a policy that no book since the start has had */
    @Override
    public void keepVersion(Tx tx, Policy policy) throws SQLException {
        Source source = sources.get(policy.digest());
        if (source == null) {
            throw new IllegalArgumentException("policy " + policy.name() + " is of no book that was in force here");
        }
        documents.keepVersion(tx, policy.digest(), row(source));
    }

    @Override
    public Optional<Policy> version(String digest) {
        Policy known = versions.get(digest);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<Policy> compiled = documents
                .version(digest)
                .map(row -> Source.database(Kind.POLICY, row.name(), rules, row.text()))
                // The digest is what a grant was given under: text that has another is not that policy.
                .filter(source -> source.digest().equals(digest))
                .flatMap(BookCompiler::policy);
        compiled.ifPresent(policy -> versions.put(digest, policy));
        return compiled;
    }

    @Override
    public Optional<Policy> versionInMemory(String digest) {
        return Optional.ofNullable(versions.get(digest));
    }

    private Reload swap(CompiledBook next) {
        remember(next);
        book = next;
        listeners.forEach(listener -> listener.accept(next));
        return new Reload.Swapped(next);
    }

    private void remember(CompiledBook next) {
        next.policies().values().forEach(policy -> {
            next.sourceOf(policy).ifPresent(source -> sources.put(policy.digest(), source));
            versions.put(policy.digest(), policy);
        });
    }

    private BookCompiler.Outcome read() {
        RuleFolder folder = RuleFolder.read(rules);
        if (!folder.problems().isEmpty()) {
            return new BookCompiler.Outcome.Wrong(folder.problems());
        }
        List<Source> all = new ArrayList<>(folder.documents());
        for (Documents.Row row : documents.all()) {
            Kind.of(row.kind()).ifPresent(kind -> all.add(Source.database(kind, row.name(), rules, row.text())));
        }
        return compiler.compile(all);
    }

    private List<Source> without(Predicate<Source> unwanted) {
        return new ArrayList<>(book.sources().stream().filter(unwanted.negate()).toList());
    }

    private static Documents.Row row(Source source) {
        return new Documents.Row(
                source.kind().key(), source.name(), new String(source.bytes(), StandardCharsets.UTF_8));
    }
}
