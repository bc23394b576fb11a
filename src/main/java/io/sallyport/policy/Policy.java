package io.sallyport.policy;

import io.sallyport.http.Origin;
import io.sallyport.http.Target;
import io.sallyport.identity.Delegation;
import java.time.LocalDate;
import java.util.Map;
import java.util.Set;

/** One compiled policy: what one kind of task may do. Immutable; its questions are pure functions. */
public interface Policy {

    String name();

    String owner();

    String reason();

    LocalDate reviewBy();

    Map<String, String> labels();

    TaskLimits task();

    /** In the document's order. */
    Map<String, Scope> scopes();

    /** SHA-256 (hex) of the document's bytes: a grant keeps it, so that a later widening never reaches it. */
    String digest();

    /** The identities that {@code who} names exactly, for workloads and persons: each must exist. */
    Set<String> identities();

    /** Whether this workload (acting for this person, if any) may open a task under this policy. */
    boolean admits(Delegation delegation);

    /** Whether one of the granted scopes names this host and port: all that can be known at CONNECT. */
    boolean namesHost(String host, int port, Set<String> granted);

    /** Whether a tunnel to this host and port is passed through unread; such a tunnel is one request, with the method CONNECT. */
    default boolean passesThrough(String host, int port) {
        return scopes().values().stream()
                .anyMatch(scope -> !scope.intercept()
                        && scope.destination().origin().port() == port
                        && scope.destination().matchesHost(host));
    }

    /** Which scope the request belongs to among all of the policy's, and whether it is granted and allows it; {@code never} first. */
    Verdict select(String method, Origin origin, Target target, Set<String> granted);
}
