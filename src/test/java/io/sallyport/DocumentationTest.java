package io.sallyport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the pages promise about themselves and about settings. */
class DocumentationTest {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)[^)]*\\)");

    @Test
    void every_relative_link_leads_to_a_file_of_the_project() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path page : pages()) {
            Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                String target = link.group(1);
                if (target.contains("://") || target.startsWith("mailto:")) {
                    continue;
                }
                links++;
                if (!Files.exists(page.resolveSibling(target))) {
                    broken.add(page + " -> " + target);
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(links).isPositive();
    }

    @Test
    void every_setting_is_documented() throws IOException {
        String page = Files.readString(Path.of("docs/reference/settings.md"));
        // The radii are keys of a map, each documented by itself.
        assertThat(new SettingNames().all())
                .filteredOn(name -> !name.equals("sallyport.blast-radius"))
                .allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(Path.of("docs"))) {
            return Stream.concat(Stream.of(Path.of("README.md"), Path.of("SECURITY.md")), docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .filter(Files::exists)
                    .toList();
        }
    }
}
