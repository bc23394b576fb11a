package io.sallyport.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The recipes of a page are policies that compile, and say of each request below them what the page says. */
class DocumentedRecipesTest {

    private static final Pattern RECIPE = Pattern.compile("(?s)```yaml\n(.*?)```");
    private static final Pattern REQUEST = Pattern.compile("(?m)^# (allowed|refused): (\\S+) (\\S+)$");

    @Test
    void each_recipe_pins_the_account_as_the_page_says() throws Exception {
        List<String> recipes = RECIPE.matcher(Files.readString(Path.of("docs/how-to/pin-the-account.md")))
                .results()
                .map(recipe -> recipe.group(1))
                .toList();
        assertThat(recipes).hasSize(11);
        for (String recipe : recipes) {
            Policy policy = TestPolicies.policy(recipe);
            List<MatchResult> requests = REQUEST.matcher(recipe).results().toList();
            assertThat(requests).as(recipe).hasSizeGreaterThan(1);
            for (MatchResult request : requests) {
                boolean allowed =
                        TestPolicies.ask(policy, request.group(2), request.group(3)) instanceof Verdict.Selected;
                assertThat(allowed)
                        .as(request.group())
                        .isEqualTo(request.group(1).equals("allowed"));
            }
        }
    }
}
