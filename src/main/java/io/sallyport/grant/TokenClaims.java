package io.sallyport.grant;

import com.nimbusds.jwt.JWTClaimsSet;
import io.sallyport.identity.Principal;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a task token says (RFC 9068 section 2.2, RFC 8693 section 4).
 *
 * @param actors whoever acts for the subject, the current one first; empty when a workload acts for itself
 */
record TokenClaims(Grant grant, String issuer, Principal subject, List<Principal> actors) {

    /** A child may be another workload's: then that one acts, and those above it are the earlier actors. */
    static TokenClaims of(Grant grant, Function<Grant, @Nullable Grant> parentOf, String issuer) {
        List<Principal> line = new ArrayList<>();
        for (Grant at = grant; at != null; at = parentOf.apply(at)) {
            if (line.isEmpty() || !line.getLast().equals(at.workload())) {
                line.add(at.workload());
            }
        }
        Principal person = grant.person();
        return person == null
                ? new TokenClaims(grant, issuer, line.getLast(), List.copyOf(line.subList(0, line.size() - 1)))
                : new TokenClaims(grant, issuer, person, List.copyOf(line));
    }

    JWTClaimsSet whole() {
        return claims(actors, true);
    }

    JWTClaimsSet withoutScope() {
        return claims(actors, false);
    }

    JWTClaimsSet withoutEarlierActors() {
        return claims(actors.isEmpty() ? actors : actors.subList(0, 1), false);
    }

    private JWTClaimsSet claims(List<Principal> named, boolean scope) {
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .issuer(issuer)
                .audience(issuer)
                .subject(subject.toString())
                .claim("client_id", grant.workload().toString())
                .jwtID(grant.jti())
                .claim("task", grant.task())
                .issueTime(Date.from(grant.openedAt()))
                .expirationTime(Date.from(grant.expiresAt()));
        if (!named.isEmpty()) {
            claims.claim("act", nested(named));
        }
        if (scope) {
            claims.claim("scope", scopes());
        }
        return claims.build();
    }

    private static Map<String, Object> nested(List<Principal> actors) {
        Map<String, Object> act = new LinkedHashMap<>();
        act.put("sub", actors.getFirst().toString());
        if (actors.size() > 1) {
            act.put("act", nested(actors.subList(1, actors.size())));
        }
        return act;
    }

    private String scopes() {
        return grant.scopes().stream()
                .map(scope -> grant.policy() + ":" + scope)
                .collect(Collectors.joining(" "));
    }
}
