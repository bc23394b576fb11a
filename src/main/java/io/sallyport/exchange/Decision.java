package io.sallyport.exchange;

import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.http.IpLiteral;
import io.sallyport.http.IpRange;
import io.sallyport.http.Origin;
import io.sallyport.identity.Delegation;
import io.sallyport.identity.Isolation;
import io.sallyport.identity.Verified;
import io.sallyport.policy.Binding;
import io.sallyport.policy.Policy;
import io.sallyport.policy.Scope;
import io.sallyport.rules.RuleBook;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Whether a request gets a grant, and which. Pure: what it needs to know of the world is in the {@link Circumstances}. */
final class Decision {

    private final ExchangeRequest request;
    private final Circumstances at;

    Decision(ExchangeRequest request, Circumstances at) {
        this.request = request;
        this.at = at;
    }

    /** A workload opens a task. */
    Step<Decided> open(Delegation who) {
        return policyFor(who)
                .then(policy -> scopes(policy, policy.scopes().keySet())
                        .then(asked -> reachable(policy, asked, who.workload().isolation()))
                        .then(scopes -> decided(first(policy, scopes, who), policy)));
    }

    /** The holder of a task token takes a narrower part of its task, for itself or for another workload. */
    Step<Decided> narrow(Parent parent, Delegation who) {
        Grant above = parent.grant();
        if (!request.asked().policy().equals(above.policy())) {
            return Step.refused(Refusal.invalidScope("A part of a task has scopes of the task's own policy."));
        }
        return policyFor(who).then(policy -> {
            if (above.depth() >= policy.task().depth()) {
                return Step.refused(Refusal.invalidRequest("This task may not be divided further (depth)."));
            }
            if (parent.usesLeft() < 1 || parent.bytesLeft() < 1) {
                return Step.refused(Refusal.invalidRequest("The limits of this task are spent."));
            }
            return scopes(policy, above.scopes())
                    .then(asked -> reachable(policy, asked, who.workload().isolation()))
                    .then(scopes -> part(policy, parent, scopes, who));
        });
    }

    /** @param used by the grant and its descendants so far: a part gets of what is left */
    record Parent(Grant grant, Grants.Usage used) {

        long usesLeft() {
            return grant.uses() - used.uses();
        }

        long bytesLeft() {
            return grant.bytesOut() - used.bytesOut();
        }
    }

    /** Unknown and closed policies look alike; only whoever no policy knows at all is told that it is a stranger. */
    private Step<Policy> policyFor(Delegation who) {
        RuleBook book = at.book();
        if (book.policies().values().stream().noneMatch(policy -> policy.admits(who))) {
            return Step.refused(Refusal.unauthorizedClient(
                    "No policy lets this workload (for this person) open a task.", "no policy admits it"));
        }
        return book.policy(request.asked().policy())
                .filter(policy -> policy.admits(who))
                .map(Step::passed)
                .orElseGet(() -> Step.refused(notOpen("the policy is unknown or does not admit the workload")));
    }

    private static Refusal notOpen(String cause) {
        Refusal told = Refusal.invalidScope("A scope is unknown, or not open to this workload.");
        return new Refusal(told.error(), cause, told.headers(), null, null);
    }

    /** All that was asked for or nothing: a grant is never narrowed in silence. */
    private Step<SortedSet<String>> scopes(Policy policy, Set<String> open) {
        SortedSet<String> asked = request.asked().scopes();
        return policy.scopes().keySet().containsAll(asked) && open.containsAll(asked)
                ? Step.passed(asked)
                : Step.refused(notOpen("the policy, or the task, does not have the scope"));
    }

    private Step<SortedSet<String>> reachable(Policy policy, SortedSet<String> asked, Isolation isolation) {
        SortedSet<String> kept = new TreeSet<>();
        for (String name : asked) {
            Scope scope = scope(policy, name);
            List<String> beyond = at.book().outOfReach(isolation, scope);
            if (!beyond.isEmpty()) {
                return Step.refused(Refusal.invalidScope("Credential " + beyond.getFirst() + " of scope "
                        + policy.name() + ":" + name + " is out of reach for a workload in isolation "
                        + isolation.text() + "."));
            }
            if (request.targets().isEmpty() || request.targets().stream().anyMatch(scope.destination()::matches)) {
                kept.add(name);
            }
        }
        for (Origin target : request.targets()) {
            if (kept.stream()
                    .noneMatch(name -> scope(policy, name).destination().matches(target))) {
                return Step.refused(Refusal.invalidTarget("no requested scope has the target"));
            }
        }
        return Step.passed(kept);
    }

    /** With the listener that it is bound to, if it is to one. */
    private Step<Decided> decided(Grant grant, Policy policy) {
        return switch (grant.binding()) {
            case ADDRESS ->
                request.details().listening()
                        ? Step.refused(Refusal.invalidDetails(
                                "listener and uid are for policies whose tasks are bound to a listener."))
                        : Step.passed(new Decided(grant, policy, null));
            case LISTENER ->
                request.details()
                        .wanted(host(at.source()))
                        .then(wanted -> Step.passed(new Decided(grant, policy, wanted)));
        };
    }

    private static Scope scope(Policy policy, String name) {
        return Optional.ofNullable(policy.scopes().get(name)).orElseThrow();
    }

    private Grant first(Policy policy, SortedSet<String> scopes, Delegation who) {
        TaskDetails details = request.details();
        Instant opened = at.now().truncatedTo(ChronoUnit.SECONDS);
        return new Grant(
                at.names().grant(),
                at.names().jti(),
                at.names().task(),
                null,
                0,
                policy.name(),
                policy.digest(),
                scopes,
                request.targets(),
                who.workload().principal(),
                who.onBehalfOf().map(Verified::principal).orElse(null),
                who.workload().isolation(),
                shownFrom(policy.task().binding()),
                Math.min(policy.task().uses(), details.uses().orElse(Long.MAX_VALUE)),
                Math.min(policy.task().bytesOut(), details.bytesOut().orElse(Long.MAX_VALUE)),
                opened,
                opened.plus(life(policy.task().ttl())),
                details.purpose().orElse(null),
                policy.task().binding());
    }

    /** Where a listener stands for the token, the token stays with whoever asked: an address that is given is that of the listener's user. */
    private String shownFrom(Binding binding) {
        IpRange source = host(at.source());
        return switch (binding) {
            case ADDRESS -> request.details().address().orElse(source).toString();
            case LISTENER -> source.toString();
        };
    }

    private Step<Decided> part(Policy policy, Parent parent, SortedSet<String> scopes, Delegation who) {
        Grant above = parent.grant();
        if (!above.resources().isEmpty() && !above.resources().containsAll(request.targets())) {
            return Step.refused(Refusal.invalidTarget("the task is narrowed to other targets"));
        }
        boolean byToken = above.binding() == Binding.ADDRESS;
        if (byToken && !request.details().address().stream().allMatch(address -> inside(address, above))) {
            return Step.refused(Refusal.invalidDetails("address is outside the one that the task is bound to."));
        }
        Instant opened = at.now().truncatedTo(ChronoUnit.SECONDS);
        Instant end = opened.plus(life(policy.task().ttl()));
        TaskDetails details = request.details();
        Grant grant = new Grant(
                at.names().grant(),
                at.names().jti(),
                above.task(),
                above.id(),
                above.depth() + 1,
                above.policy(),
                above.policyDigest(),
                scopes,
                request.targets().isEmpty() ? above.resources() : request.targets(),
                who.workload().principal(),
                above.person(),
                who.workload().isolation(),
                byToken ? details.address().map(IpRange::toString).orElse(above.address()) : above.address(),
                Math.min(parent.usesLeft(), details.uses().orElse(Long.MAX_VALUE)),
                Math.min(parent.bytesLeft(), details.bytesOut().orElse(Long.MAX_VALUE)),
                opened,
                end.isBefore(above.expiresAt()) ? end : above.expiresAt(),
                details.purpose().or(() -> Optional.ofNullable(above.purpose())).orElse(null),
                above.binding());
        return decided(grant, policy);
    }

    /** In whole seconds, as {@code exp} counts; never more than the policy's. */
    private Duration life(Duration most) {
        Duration asked = request.details().ttl().orElse(most);
        return (asked.compareTo(most) < 0 ? asked : most).truncatedTo(ChronoUnit.SECONDS);
    }

    private static boolean inside(IpRange address, Grant above) {
        if (above.address() == null) {
            return true;
        }
        IpRange bound = IpRange.parse(above.address()).orElseThrow();
        return bound.contains(address.network().bytes()) && address.prefixLength() >= bound.prefixLength();
    }

    private static IpRange host(InetAddress source) {
        String text = source.getHostAddress();
        int zone = text.indexOf('%');
        IpLiteral literal =
                IpLiteral.parse(zone < 0 ? text : text.substring(0, zone)).orElseThrow();
        return new IpRange(literal, literal.bits());
    }

    /** For the ledger and the answer: scopes as OAuth writes them. */
    static String scopeOf(Grant grant) {
        return grant.scopes().stream().map(name -> grant.policy() + ":" + name).collect(Collectors.joining(" "));
    }
}
