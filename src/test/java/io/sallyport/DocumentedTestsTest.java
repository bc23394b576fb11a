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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages that name the tests which prove them name tests, and code, that exist. */
class DocumentedTestsTest {

    private static final Pattern NAMED = Pattern.compile("`([A-Z][A-Za-z0-9]+)(?:\\.([A-Za-z0-9_]+))?`");
    private static final Pattern CASE = Pattern.compile("^\\| ((?:RW|PX)-\\d+) \\|.*$", Pattern.MULTILINE);

    private static final String CASES = "docs/reference/cases.md";

    @ParameterizedTest
    @ValueSource(strings = {"docs/explanation/invariants.md", "docs/reference/failure-modes.md", CASES})
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

    /** A class alone would prove nothing: it goes on being there when the method that was meant is gone. */
    @Test
    void every_case_names_a_method_of_a_test() throws IOException {
        List<MatchResult> cases =
                CASE.matcher(Files.readString(Path.of(CASES))).results().toList();
        assertThat(cases).extracting(row -> row.group(1)).isNotEmpty().doesNotHaveDuplicates();
        assertThat(cases)
                .allSatisfy(row -> assertThat(
                                NAMED.matcher(row.group()).results().filter(name -> name.group(2) != null))
                        .as(row.group(1))
                        .isNotEmpty());
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
