package io.sallyport.admin;

import io.sallyport.rules.RuleBooks;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether the rules in force are those of the documents. A refused reload leaves the broker ready, on the older book: taking it away would
 * turn a typing mistake into an outage.
 */
final class RulesHealth implements HealthIndicator {

    private final RuleBooks books;

    RulesHealth(RuleBooks books) {
        this.books = books;
    }

    @Override
    public Health health() {
        List<String> problems = books.problems();
        Health.Builder up = Health.up().withDetail("digest", books.current().digest());
        return problems.isEmpty()
                ? up.build()
                : up.withDetail("degraded", "the last reload was refused")
                        .withDetail("problems", problems.size())
                        .build();
    }
}
