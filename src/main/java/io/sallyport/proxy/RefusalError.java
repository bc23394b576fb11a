package io.sallyport.proxy;

import java.util.Locale;

/**
 * The closed list of what the hop may answer instead of the origin. Each has one status, one hint for whoever reads it, and one type of
 * RFC 9209 (Proxy-Status). {@code docs/reference/refusals.md} says the same to people.
 */
public enum RefusalError {
    MALFORMED(400, "http_request_error", "Mend what the reason names, and send the whole request again."),
    AMBIGUOUS_TOKEN(400, "http_request_error", "Send the task token once."),
    TASK_TOKEN_IN_REQUEST(
            403,
            "http_request_denied",
            "Send the task token to the hop alone: not in a target, field or content of a request."),
    WEB_PAGE(
            403,
            "http_request_denied",
            "Speak to the listener with the task's own tools, not from a page in a browser."),
    HEAD_TOO_LARGE(431, "http_request_error", "Send fewer or shorter header fields: 64 KiB and 128 lines in all."),
    TARGET_TOO_LONG(414, "http_request_error", "Send a target of at most 8 KiB."),
    GRANT_REQUIRED(407, "http_request_denied", "Send a live task token as Proxy-Authorization: Basic task:TOKEN."),
    GATEWAY_GRANT_REQUIRED(401, "http_request_denied", "Send a live task token where the credential would go."),
    GRANT_ENDED(403, "http_request_denied", "Exchange the workload token for a new task token."),
    SCOPE_NOT_GRANTED(403, "http_request_denied", "Ask for this scope at the exchange."),
    RESOURCE_NOT_GRANTED(403, "http_request_denied", "The task token was narrowed to other resources."),
    SCOPE_MISMATCH(403, "http_request_denied", "Use /gateway/ with the scope that the reason names."),
    UPGRADE_NOT_ALLOWED(
            403,
            "http_request_denied",
            "The scope allows no WebSocket; ask for a policy whose scope has upgrade: [websocket]."),
    METHOD_OVERRIDE(403, "http_request_denied", "Use the method itself, not a field that overrides it."),
    SIGNED_URL(
            403,
            "http_request_denied",
            "A scope whose credential is own lets the signature pass; which URLs those are is for an operator to say."),
    OWN_CREDENTIAL(
            403,
            "http_request_denied",
            "Leave the field out: the broker puts the credential on. Where it is none, an operator names it in the scope's keep."),
    ISOLATION(403, "http_request_denied", "The credential is out of reach for what this workload runs in."),
    ADDRESS_FORBIDDEN(
            403,
            "destination_ip_prohibited",
            "Ask an operator whether it belongs inside: then the scope's destination names its range in addresses."),
    LIMIT_SPENT(
            403,
            "http_request_denied",
            "Less content may still fit in what is left. A day's limit (day.*) is whole again at 00:00 UTC, another in a new"
                    + " task that is no child of this one."),
    CONTENT_TOO_SLOW(408, "http_request_error", "Send the content faster, or say its length only when it is ready."),
    BODY_TOO_LARGE(413, "http_request_error", "Send less content: the scope limits it."),
    CONTENT_TOO_LARGE_TO_INJECT(
            413,
            "http_request_error",
            "Send less content at once: the credential of this scope needs to see all of it."),
    NO_ROOM_FOR_CONTENT(
            429, "http_request_denied", "Wait for requests that are running, or send less content at one time."),
    CONTENT_TYPE_WITHOUT_PLACE(
            415,
            "http_request_error",
            "Send the content in the type that the reason names: the credential goes into it."),
    CONTENT_WITHOUT_PLACE(
            400,
            "http_request_error",
            "Send content that can be read in one way, with the place that the reason names."),
    TARGET_WITHOUT_PLACE(
            403, "http_request_denied", "Use a path of the form that the reason names: the credential goes into it."),
    HEAD_NOT_INJECTABLE(400, "http_request_error", "Mend what the reason names, and send the whole request again."),
    PLACEHOLDER_MISPLACED(
            403,
            "http_request_denied",
            "Let the placeholder stand once, as a whole value, in the one place that the reason names."),
    RATE(429, "http_request_denied", "Wait for the time in Retry-After."),
    AT_ONCE(429, "http_request_denied", "Wait for requests that are running."),
    TOO_MANY_CONNECTIONS(429, "http_request_denied", "Use connections again, or close some."),
    TOO_MANY_FAILURES(429, "http_request_denied", "Wait, then send a live task token."),
    MISDIRECTED(421, "http_request_error", "Let CONNECT, TLS server name and Host name the same host."),
    NAME_UNRESOLVED(502, "dns_error", "Check the host name, or try again."),
    UPSTREAM_REFUSED(502, "connection_refused", "Try again later."),
    UPSTREAM_TIMEOUT(502, "connection_timeout", "Try again later."),
    UPSTREAM_PROXY(
            502, "destination_unavailable", "Ask an operator: the broker's way out stopped this; nothing was sent."),
    UPSTREAM_TLS(502, "tls_certificate_error", "The destination does not prove who it is; nothing was sent."),
    CLIENT_CERTIFICATE(
            502,
            "tls_alert_received",
            "Ask an operator: the destination does not accept the certificate that the broker shows."),
    UPSTREAM_RESET(502, "connection_terminated", "See whether the request took effect before trying again."),
    UPSTREAM_MALFORMED(502, "http_protocol_error", "The destination's answer can't be read without doubt."),
    UPSTREAM_CODED(
            502,
            "http_response_content_coding",
            "Ask for something that the destination sends uncompressed; asking again for this rarely helps."),
    UNAVAILABLE(503, "proxy_internal_error", "Try again later; an operator can see the cause."),
    // What the policy itself says; the names are those of policy.Denial.
    DESTINATION_NOT_ALLOWED(403, "http_request_denied", "The policy has no scope for this destination."),
    PATH_NOT_ALLOWED(
            403, "http_request_denied", "Ask for another path, or ask an operator to let a scope allow this one."),
    METHOD_NOT_ALLOWED(
            403,
            "http_request_denied",
            "Use a method that the policy allows here, or ask an operator to let a scope allow this one."),
    NEVER_ALLOWED(403, "http_request_denied", "The policy never allows this path, whatever is granted."),
    HANDS_OUT_CREDENTIALS(
            403,
            "http_request_denied",
            "Nothing here hands out credentials: what the policy allows goes without. An operator can see whether the task needs more."),
    QUERY_NOT_ALLOWED(403, "http_request_denied", "Send only the query parameters that the scope allows."),
    QUERY_AMBIGUOUS(400, "http_request_error", "Give each query parameter that the scope names once."),
    PATH_AMBIGUOUS(400, "http_request_error", "Spell the path without escaped slashes and empty segments."),
    POLICY(403, "http_request_denied", "Ask for a scope that allows this request.");

    private final int status;
    private final String proxyStatus;
    private final String hint;

    RefusalError(int status, String proxyStatus, String hint) {
        this.status = status;
        this.proxyStatus = proxyStatus;
        this.hint = hint;
    }

    /** The twin of what a policy says; {@link #POLICY} where it says something new. */
    static RefusalError ofPolicy(String error) {
        for (RefusalError known : values()) {
            if (known.text().equals(error)) {
                return known;
            }
        }
        return POLICY;
    }

    public int status() {
        return status;
    }

    public String proxyStatus() {
        return proxyStatus;
    }

    public String hint() {
        return hint;
    }

    /** As it stands in the answer's {@code error}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
