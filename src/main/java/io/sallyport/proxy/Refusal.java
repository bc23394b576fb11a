package io.sallyport.proxy;

import io.sallyport.credential.TokenMarks;
import io.sallyport.grant.Grant;
import io.sallyport.http.RequestHead;
import io.sallyport.policy.Verdict;
import java.time.Duration;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A "no" of the hop: a value like any other answer.
 *
 * @param status 400 to 599
 * @param error of the closed list
 * @param reason one sentence for the agent and a person: only about the agent's own grant and policy, never a secret
 * @param cause the inner one, for the ledger alone; null where the reason is all there is
 * @param scope the scope that the request belongs to; null where none was found
 * @param retryAfter for 429; null otherwise
 * @param ledger sequence number of its entry; null where it has none
 * @param close true when whoever sent this is to be served no more on its connection. That nothing more can be told apart on an
 *     HTTP/1 connection is not said here: in HTTP/2 the next stream can
 */
public record Refusal(
        int status,
        String error,
        String proxyStatus,
        String reason,
        @Nullable String cause,
        @Nullable String scope,
        String hint,
        @Nullable Duration retryAfter,
        @Nullable Long ledger,
        boolean close) {

    private static final int LONGEST_SHOWN = 200;

    public static Refusal of(RefusalError error, String reason) {
        return new Refusal(
                error.status(), error.text(), error.proxyStatus(), reason, null, null, error.hint(), null, null, false);
    }

    /** What the policy itself said, in its own words. */
    static Refusal of(Verdict.Refused refused) {
        RefusalError kin = RefusalError.ofPolicy(refused.error());
        return new Refusal(
                refused.malformed() ? 400 : 403,
                refused.error(),
                kin.proxyStatus(),
                refused.reason(),
                null,
                refused.scope(),
                kin.hint(),
                null,
                null,
                false);
    }

    /** A gateway's path names a scope that the grant has not, or one that no single origin belongs to. */
    public static Refusal noScope(String policy, String scope, Grant grant) {
        String own =
                grant.scopes().stream().map(name -> grant.policy() + ":" + name).collect(Collectors.joining(", "));
        return of(
                        RefusalError.SCOPE_NOT_GRANTED,
                        "no scope " + policy + ":" + scope + " with a single destination is granted")
                .hinting("The task token has " + own + "; a scope of many hosts is reached through CONNECT, not here.");
    }

    /**
     * Says what was judged, which need not be what a client was told to send: it may have joined a base URL to it. In the hint, which
     * whoever asked alone reads, and not in the reason, which goes to the ledger.
     */
    Refusal judged(RequestHead head, TokenMarks marks) {
        String path = head.target().path();
        boolean told = RefusalError.PATH_NOT_ALLOWED.text().equals(error)
                || RefusalError.METHOD_NOT_ALLOWED.text().equals(error);
        if (!told || marks.in(path)) {
            return this;
        }
        String shown = path.length() > LONGEST_SHOWN ? path.substring(0, LONGEST_SHOWN) + "…" : path;
        return hinting("Judged was " + head.method() + " " + shown + ". " + hint);
    }

    private Refusal hinting(String other) {
        return new Refusal(status, error, proxyStatus, reason, cause, scope, other, retryAfter, ledger, close);
    }

    public Refusal inScope(@Nullable String name) {
        return new Refusal(status, error, proxyStatus, reason, cause, name, hint, retryAfter, ledger, close);
    }

    public Refusal because(String inner) {
        return new Refusal(status, error, proxyStatus, reason, inner, scope, hint, retryAfter, ledger, close);
    }

    public Refusal after(Duration wait) {
        return new Refusal(status, error, proxyStatus, reason, cause, scope, hint, wait, ledger, close);
    }

    public Refusal entered(long seq) {
        return new Refusal(status, error, proxyStatus, reason, cause, scope, hint, retryAfter, seq, close);
    }

    public Refusal closing() {
        return new Refusal(status, error, proxyStatus, reason, cause, scope, hint, retryAfter, ledger, true);
    }
}
