package io.sallyport.rules;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;

/** A document as it was found: which one it claims to be by its place, and its bytes. */
final class Source {

    /** What the digest of a book sorts by. */
    static final Comparator<Source> BY_KIND_AND_NAME =
            Comparator.comparing(Source::kind).thenComparing(Source::name);

    static final String IN_FILE = "file";
    static final String IN_DATABASE = "database";

    private final Kind kind;
    private final String name;
    private final String home;
    private final Path folder;
    private final byte[] bytes;

    private Source(Kind kind, String name, String home, Path folder, byte[] bytes) {
        this.kind = kind;
        this.name = name;
        this.home = home;
        this.folder = folder;
        this.bytes = bytes;
    }

    static Source file(Kind kind, String name, Path rules, byte[] bytes) {
        return new Source(kind, name, IN_FILE, rules.resolve(kind.folder()), bytes);
    }

    /** Relative paths in it start where a file of its kind would lie. */
    static Source database(Kind kind, String name, Path rules, String text) {
        return new Source(kind, name, IN_DATABASE, rules.resolve(kind.folder()), text.getBytes(StandardCharsets.UTF_8));
    }

    Kind kind() {
        return kind;
    }

    String name() {
        return name;
    }

    String home() {
        return home;
    }

    /** The folder of the document. */
    Path folder() {
        return folder;
    }

    byte[] bytes() {
        return bytes.clone();
    }

    String digest() {
        return Digests.of(bytes);
    }

    /** For a person: {@code policies/site-fixer.yml}, or {@code database:policies/site-fixer}. */
    String place() {
        return home.equals(IN_FILE)
                ? kind.folder() + "/" + name + RuleFolder.ENDING
                : "database:" + kind.folder() + "/" + name;
    }

    boolean isAbout(Source other) {
        return kind == other.kind && name.equals(other.name);
    }

    RuleBook.Document document() {
        String path =
                home.equals(IN_FILE) ? folder.resolve(name + RuleFolder.ENDING).toString() : place();
        return new RuleBook.Document(kind.key(), name, home, path, new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Source that
                && isAbout(that)
                && home.equals(that.home)
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + Arrays.hashCode(bytes);
    }
}
