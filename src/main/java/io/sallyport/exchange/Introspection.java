package io.sallyport.exchange;

import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.grant.TaskListener;
import io.sallyport.grant.TaskListeners;
import io.sallyport.grant.TaskTokens;
import io.sallyport.identity.Principal;
import io.sallyport.identity.Verified;
import io.sallyport.rules.RuleBooks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Token introspection (RFC 7662): a workload asks about its own tokens; of all others it learns that they are not active for it. */
final class Introspection {

    private final RuleBooks rules;
    private final Grants grants;
    private final TaskTokens tokens;
    private final TaskListeners listeners;
    private final ExchangeSettings settings;

    Introspection(TokenExchange.Rooms rooms, ExchangeSettings settings) {
        this.rules = rooms.rules();
        this.grants = rooms.grants();
        this.tokens = rooms.tokens();
        this.listeners = rooms.listeners();
        this.settings = settings;
    }

    Step<Map<String, Object>> introspect(AgentDoor.Visit visit) {
        return new Proofs(rules.current().identities())
                .client(visit.form().client(visit.authorization()))
                .then(client -> {
                    if (client.isEmpty()) {
                        return Step.refused(Refusal.invalidClient("no client_assertion", false));
                    }
                    Optional<String> token = visit.form().one("token");
                    return token.isEmpty()
                            ? Step.refused(Refusal.invalidRequest("token is required."))
                            : Step.passed(answer(token.get(), client.get()));
                });
    }

    private Map<String, Object> answer(String token, Verified caller) {
        return tokens.jtiOf(token)
                .flatMap(grants::byJti)
                .filter(grant -> grant.workload().equals(caller.principal()))
                .filter(grants::stands)
                .map(this::active)
                .orElseGet(() -> Map.of("active", false));
    }

    private Map<String, Object> active(Grant grant) {
        List<Principal> acting = acting(grant);
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("active", true);
        members.put("iss", settings.issuer());
        members.put("aud", settings.issuer());
        members.put("sub", acting.getLast().toString());
        members.put("client_id", grant.workload().toString());
        members.put("scope", Decision.scopeOf(grant));
        members.put("token_type", TokenController.tokenType(grant));
        members.put("iat", grant.openedAt().getEpochSecond());
        members.put("exp", grant.expiresAt().getEpochSecond());
        members.put("jti", grant.jti());
        members.put("task", grant.task());
        if (acting.size() > 1) {
            members.put("act", nested(acting.subList(0, acting.size() - 1)));
        }
        Optional<TaskListener> listener = listeners.of(grant);
        members.put("authorization_details", TaskDetails.granted(grant, listener));
        listener.ifPresent(open -> members.put("listener", TokenController.where(open)));
        return members;
    }

    /** The acting workload first, then those that it has the task from, last the one that all of it is for. */
    private List<Principal> acting(Grant grant) {
        List<Principal> line = new ArrayList<>();
        Optional<Grant> at = Optional.of(grant);
        while (at.isPresent()) {
            if (line.isEmpty() || !line.getLast().equals(at.get().workload())) {
                line.add(at.get().workload());
            }
            at = Optional.ofNullable(at.get().parent()).flatMap(grants::byId);
        }
        if (grant.person() != null) {
            line.add(grant.person());
        }
        return line;
    }

    /** RFC 8693 section 4.1: the outermost is the current actor. */
    private static Map<String, Object> nested(List<Principal> actors) {
        Map<String, Object> act = new LinkedHashMap<>();
        act.put("sub", actors.getFirst().toString());
        if (actors.size() > 1) {
            act.put("act", nested(actors.subList(1, actors.size())));
        }
        return act;
    }
}
