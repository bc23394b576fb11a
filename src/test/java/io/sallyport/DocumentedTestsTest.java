package io.sallyport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages that name the tests which prove them name tests, and code, that exist. */
class DocumentedTestsTest {

    private static final Pattern NAMED = Pattern.compile("`([A-Z][A-Za-z0-9]+)(?:\\.([a-z0-9_]+))?`");

    @ParameterizedTest
    @ValueSource(strings = {"docs/explanation/invariants.md", "docs/reference/failure-modes.md"})
    void every_class_and_method_that_a_page_names_exists(String page) throws IOException {
        List<MatchResult> named =
                NAMED.matcher(Files.readString(Path.of(page))).results().toList();
        assertThat(named).isNotEmpty();
        Set<String> missing = new TreeSet<>();
        for (MatchResult name : named) {
            String method = name.group(2);
            boolean found = sources(name.group(1)).stream()
                    .anyMatch(text -> method == null || text.contains("void " + method + "("));
            if (!found) {
                missing.add(name.group());
            }
        }
        assertThat(missing).as("named in " + page + ", and not there").isEmpty();
    }

    private static List<String> sources(String name) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            return files.filter(file -> file.getFileName().toString().equals(name + ".java"))
                    .map(DocumentedTestsTest::text)
                    .collect(Collectors.toList());
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
