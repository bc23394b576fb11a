package io.sallyport.exchange;

import io.sallyport.credential.Credential;
import io.sallyport.identity.Identities;
import io.sallyport.identity.Isolation;
import io.sallyport.policy.Policy;
import io.sallyport.policy.Scope;
import io.sallyport.rules.PrivateRoots;
import io.sallyport.rules.RuleBook;
import io.sallyport.rules.RuleBooks;
import io.sallyport.store.Tx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A rule book that a test writes. */
final class TestBooks implements RuleBooks {

    private final Map<String, Policy> policies = new HashMap<>();
    private final Identities identities;
    final List<String> kept = new ArrayList<>();

    /** Scopes whose credential is out of reach for every workload. */
    final List<String> beyond = new ArrayList<>();

    TestBooks(Identities identities) {
        this.identities = identities;
    }

    TestBooks with(Policy policy) {
        policies.put(policy.name(), policy);
        return this;
    }

    @Override
    public RuleBook current() {
        return new Book();
    }

    private final class Book implements RuleBook {

        @Override
        public Set<String> rootsInUse() {
            return Set.of();
        }

        @Override
        public String digest() {
            return "b".repeat(64);
        }

        @Override
        public Identities identities() {
            return identities;
        }

        @Override
        public Map<String, Policy> policies() {
            return policies;
        }

        @Override
        public Map<String, Credential> credentials() {
            return Map.of();
        }

        @Override
        public List<Credential> credentialsOf(Scope scope) {
            return List.of();
        }

        @Override
        public Optional<PrivateRoots> rootsOf(Scope scope) {
            return Optional.empty();
        }

        @Override
        public boolean mayReach(Isolation isolation, Credential credential) {
            return true;
        }

        @Override
        public List<String> outOfReach(Isolation isolation, Scope scope) {
            return beyond.contains(scope.name()) ? List.of("crown-jewels") : List.of();
        }

        @Override
        public List<Document> documents() {
            return List.of();
        }
    }

    @Override
    public Reload reload() {
        return new Reload.Swapped(current());
    }

    @Override
    public Reload put(String kind, String name, String text, String by) {
        throw new AssertionError("an exchange changes no documents");
    }

    @Override
    public Reload remove(String kind, String name) {
        throw new AssertionError("an exchange changes no documents");
    }

    @Override
    public List<String> problems() {
        return List.of();
    }

    @Override
    public void onSwapped(Consumer<RuleBook> listener) {}

    @Override
    public void keepVersion(Tx tx, Policy policy) {
        kept.add(policy.name());
    }

    @Override
    public Optional<Policy> versionInMemory(String digest) {
        return version(digest);
    }

    @Override
    public Optional<Policy> version(String digest) {
        return Optional.empty();
    }
}
