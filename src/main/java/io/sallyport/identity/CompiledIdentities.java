package io.sallyport.identity;

import com.nimbusds.jose.jwk.JWK;
import io.sallyport.http.Parsed;
import io.sallyport.identity.Verification.Accepted;
import io.sallyport.identity.Verification.Rejected;
import io.sallyport.identity.Verification.Unavailable;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Checks tokens against the identities of one rule book: cheap and telling things first, the signature before any claim is believed. */
final class CompiledIdentities implements Identities {

    private final Map<Identity, KeySource> sources;
    private final Clock clock;

    CompiledIdentities(Map<Identity, KeySource> sources, Clock clock) {
        this.sources = Map.copyOf(sources);
        this.clock = clock;
    }

    @Override
    public Verification verify(String token) {
        return switch (Jws.parse(token)) {
            case Parsed.Malformed<Jws>(String reason) -> new Rejected(reason);
            case Parsed.Valid<Jws>(Jws jws) -> verify(jws);
        };
    }

    private Verification verify(Jws token) {
        List<Identity> ofIssuer = sources.keySet().stream()
                .filter(identity -> identity.issuer().equals(token.issuer()))
                .toList();
        if (ofIssuer.isEmpty()) {
            return new Rejected("no identity has this issuer");
        }
        List<Identity> meant = ofIssuer.stream()
                .filter(identity -> Claims.meantFor(token, identity.audiences()))
                .toList();
        return switch (meant.size()) {
            case 0 -> new Rejected("meant for another audience");
            case 1 -> verify(token, meant.getFirst());
            default -> new Rejected("meant for several identities at once");
        };
    }

    private Verification verify(Jws token, Identity identity) {
        if (!identity.algorithms().contains(token.algorithm())) {
            return new Rejected("an algorithm that identity " + identity.name() + " does not take");
        }
        KeySource source = sources.get(identity);
        if (source == null) {
            throw new IllegalStateException("an identity without keys: " + identity.name());
        }
        return switch (source.find(key -> Signature.fits(key, token))) {
            case KeySource.Answer.Unavailable(String cause) ->
                new Unavailable("identity " + identity.name() + ": " + cause);
            case KeySource.Answer.Keys(List<JWK> keys) -> verify(token, identity, keys);
        };
    }

    private Verification verify(Jws token, Identity identity, List<JWK> keys) {
        // Without a kid several keys may fit; trying each would let a stranger choose how much work a token is.
        if (keys.size() != 1) {
            return new Rejected(keys.isEmpty() ? "no key of the issuer fits" : "more than one key of the issuer fits");
        }
        if (!Signature.verifies(keys.getFirst(), token)) {
            return new Rejected("the signature does not hold");
        }
        return switch (new Claims(token, identity).check(clock.instant())) {
            case Parsed.Valid<Verified>(Verified verified) -> new Accepted(verified);
            case Parsed.Malformed<Verified>(String reason) -> new Rejected(reason);
        };
    }

    @Override
    public boolean issued(String token) {
        return Jws.parse(token) instanceof Parsed.Valid<Jws>(Jws jws)
                && sources.keySet().stream()
                        .anyMatch(identity -> identity.issuer().equals(jws.issuer()));
    }

    @Override
    public SortedSet<String> algorithms() {
        SortedSet<String> all = new TreeSet<>();
        sources.keySet().forEach(identity -> all.addAll(identity.algorithms()));
        return all;
    }
}
