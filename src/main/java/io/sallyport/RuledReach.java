package io.sallyport;

import io.sallyport.credential.Credential;
import io.sallyport.grant.Grant;
import io.sallyport.http.Origin;
import io.sallyport.policy.Scope;
import io.sallyport.revocation.GrantReach;
import io.sallyport.rules.RuleBook;
import io.sallyport.rules.RuleBooks;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How far a grant reaches: by the rule book in force and by the policy as it stood when the grant was opened, whichever is wider. An order
 * to stop a credential must not miss a grant because its policy was narrowed a moment ago.
 */
final class RuledReach implements GrantReach {

    private final RuleBooks books;

    RuledReach(RuleBooks books) {
        this.books = books;
    }

    @Override
    public Set<String> credentials(Grant grant) {
        RuleBook book = books.current();
        return scopes(grant)
                .flatMap(scope -> book.credentialsOf(scope).stream())
                .map(Credential::name)
                .collect(Collectors.toSet());
    }

    @Override
    public boolean reaches(Grant grant, Origin destination) {
        return (grant.resources().isEmpty() || grant.resources().contains(destination))
                && scopes(grant).anyMatch(scope -> scope.destination().matches(destination));
    }

    private Stream<Scope> scopes(Grant grant) {
        return Stream.concat(
                        books.current().policy(grant.policy()).stream(), books.version(grant.policyDigest()).stream())
                .flatMap(policy -> policy.scopes().values().stream())
                .filter(scope -> grant.scopes().contains(scope.name()));
    }
}
