package io.sallyport.rules;

import io.sallyport.credential.Credential;
import io.sallyport.document.Keys;
import io.sallyport.identity.Identities;
import io.sallyport.identity.Identity;
import io.sallyport.identity.Isolation;
import io.sallyport.policy.CredentialUse;
import io.sallyport.policy.Policy;
import io.sallyport.policy.Scope;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A book in which every document is right, and right with the others. */
final class CompiledBook implements RuleBook {

    private final List<Source> sources;
    private final Parts parts;
    private final Identities verifiers;
    private final RulesSettings settings;
    private final String digest;

    /** By the very scope: comparing scopes costs more than what is looked up. */
    private final Map<Scope, ScopePlan> plans = new IdentityHashMap<>();

    /**
     * The documents by kind and name.
     *
     * @param roots what scopes trust, by the name of the file as they write it
     */
    record Parts(
            Map<String, Identity> identities,
            Map<String, Credential> credentials,
            Map<String, Policy> policies,
            Map<String, PrivateRoots> roots) {

        Parts {
            identities = Collections.unmodifiableMap(new LinkedHashMap<>(identities));
            credentials = Collections.unmodifiableMap(new LinkedHashMap<>(credentials));
            policies = Collections.unmodifiableMap(new LinkedHashMap<>(policies));
            roots = Map.copyOf(roots);
        }
    }

    CompiledBook(List<Source> sources, Parts parts, Identities verifiers, RulesSettings settings, String digest) {
        this.sources = sources;
        this.parts = parts;
        this.verifiers = verifiers;
        this.settings = settings;
        this.digest = digest;
        for (Policy policy : parts.policies.values()) {
            policy.scopes().values().forEach(scope -> plans.put(scope, RuleBook.super.plan(scope)));
        }
    }

    @Override
    public String digest() {
        return digest;
    }

    @Override
    public Identities identities() {
        return verifiers;
    }

    @Override
    public Map<String, Policy> policies() {
        return parts.policies;
    }

    @Override
    public Map<String, Credential> credentials() {
        return parts.credentials;
    }

    /** @throws IllegalArgumentException for a scope that names a credential of another book, or narrows one as this book's can't be: a fault, which must refuse */
    @Override
    public List<Credential> credentialsOf(Scope scope) {
        return switch (scope.credential()) {
            case CredentialUse.None _, CredentialUse.Own _ -> List.of();
            case CredentialUse.Named(List<String> names) ->
                names.stream().map(name -> narrowed(scope, name)).toList();
        };
    }

    private Credential narrowed(Scope scope, String name) {
        Credential credential = parts.credentials.get(name);
        if (credential == null) {
            throw new IllegalArgumentException("this book has no credential " + name);
        }
        Map<String, Object> narrow = scope.narrow().get(name);
        return narrow == null
                ? credential
                : credential
                        .narrowed(Keys.of(narrow))
                        .orElseThrow(
                                () -> new IllegalArgumentException("credential " + name + " can't be narrowed so"));
    }

    /** @throws IllegalArgumentException for a scope that trusts a file of another book: a fault, which must refuse */
    @Override
    public Optional<PrivateRoots> rootsOf(Scope scope) {
        return scope.trust().map(file -> {
            PrivateRoots roots = parts.roots.get(file);
            if (roots == null) {
                throw new IllegalArgumentException("this book has not read " + file);
            }
            return roots;
        });
    }

    @Override
    public Set<String> rootsInUse() {
        return parts.roots.values().stream().map(PrivateRoots::id).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public ScopePlan plan(Scope scope) {
        ScopePlan known = plans.get(scope);
        return known == null ? RuleBook.super.plan(scope) : known;
    }

    @Override
    public boolean mayReach(Isolation isolation, Credential credential) {
        return settings.reach().getOrDefault(credential.blastRadius(), Set.of()).contains(isolation);
    }

    @Override
    public List<Document> documents() {
        return sources.stream()
                .sorted(Source.BY_KIND_AND_NAME)
                .map(Source::document)
                .toList();
    }

    List<Source> sources() {
        return sources;
    }

    @Nullable
    Identity identity(String name) {
        return parts.identities.get(name);
    }

    /** The document of one of its policies. */
    Optional<Source> sourceOf(Policy policy) {
        return sources.stream()
                .filter(source -> source.kind() == Kind.POLICY && Objects.equals(source.name(), policy.name()))
                .filter(source -> source.digest().equals(policy.digest()))
                .findFirst();
    }
}
