package io.sallyport.proxy;

import io.sallyport.policy.Scope;
import io.sallyport.proxy.tls.SignableNames;
import io.sallyport.rules.RuleBook;
import io.sallyport.rules.RuleBooks;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The hosts that the rule book in force has intercepted, and the hop's own names. Asked for at each use, so that it is never behind the book. */
final class InterceptedNames implements Supplier<SignableNames> {

    private final RuleBooks books;
    private final List<String> own;
    private volatile Known known;

    private record Known(RuleBook book, SignableNames names) {}

    /** @param own canonical names of the hop itself */
    InterceptedNames(RuleBooks books, Collection<String> own) {
        this.books = books;
        this.own = List.copyOf(own);
        this.known = collected(books.current());
    }

    @Override
    public SignableNames get() {
        RuleBook book = books.current();
        Known last = known;
        if (last.book != book) {
            last = collected(book);
            known = last;
        }
        return last.names;
    }

    private Known collected(RuleBook book) {
        Set<String> hosts = new HashSet<>(own);
        Set<String> parents = new HashSet<>();
        book.policies().values().stream()
                .flatMap(policy -> policy.scopes().values().stream())
                // What is passed through unread can't even be signed for.
                .filter(Scope::intercept)
                .map(Scope::destination)
                .forEach(destination -> (destination.wildcard() ? parents : hosts)
                        .add(destination.origin().host()));
        return new Known(book, new SignableNames(hosts, parents));
    }
}
