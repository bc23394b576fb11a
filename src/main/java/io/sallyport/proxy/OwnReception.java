package io.sallyport.proxy;

import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.http.Authority;
import io.sallyport.http.IpLiteral;
import io.sallyport.http.Parsed;
import java.util.List;
import java.util.Optional;

/**
 * What is refused at a listener of a task's own. It asks for no token, so whoever can make a program on the machine speak to it has the
 * grant: a web page in a browser, too, and that one is kept out by what browsers themselves say of such requests.
 */
final class OwnReception {

    private final Grants grants;
    private final List<String> names;

    /** @param names of the hop's own, canonical */
    OwnReception(Grants grants, List<String> names) {
        this.grants = grants;
        this.names = names;
    }

    /**
     * A browser speaks the gateway's form alone to a port that it takes for a server. A page of another origin gives itself away by
     * {@code Sec-Fetch-Site} or {@code Origin}; one whose name was made to resolve to this machine, by Host.
     */
    Optional<Received> unfit(RawHead raw, Entrance.Own listener) {
        if (!listener.port() || !raw.target().startsWith(Reception.GATEWAY)) {
            return Optional.empty();
        }
        if (raw.fields().first("sec-fetch-site").isPresent()
                || raw.fields().first("origin").isPresent()) {
            return refused(
                    Refusal.of(
                            RefusalError.WEB_PAGE,
                            "a browser sent this for a page: the listener is for the task's own tools"),
                    listener.grant());
        }
        boolean known = raw.fields().all("host").stream().allMatch(this::own);
        return known
                ? Optional.empty()
                : refused(
                        Refusal.of(
                                RefusalError.MISDIRECTED,
                                "Host is no address, not localhost and no name of the hop's own (sallyport.proxy.names)"),
                        listener.grant());
    }

    private boolean own(String host) {
        return Authority.parse(host) instanceof Parsed.Valid<Authority>(Authority named)
                && (named.host().equals("localhost")
                        || names.contains(named.host())
                        || IpLiteral.parse(named.host()) instanceof Parsed.Valid<IpLiteral>);
    }

    /** A placeholder that a client insists on is no doubt; a token that names another grant is. */
    Optional<Received> anothers(PresentedToken.Found found, Grant grant) {
        boolean another = found.tokens().stream()
                .flatMap(token -> grants.named(token).stream())
                .anyMatch(named -> !named.id().equals(grant.id()));
        return another
                ? refused(
                        Refusal.of(RefusalError.AMBIGUOUS_TOKEN, "the token names another grant than this listener's"),
                        grant)
                : Optional.empty();
    }

    private static Optional<Received> refused(Refusal refusal, Grant grant) {
        return Optional.of(new Received.Malformed(refusal.closing(), grant));
    }

    /** The same, of a grant that is known. */
    static Received held(Received received, Grant grant) {
        return switch (received) {
            case Received.Tunnel(String host, int port, var token) -> new Received.OwnTunnel(host, port, grant);
            case Received.Forward(var head, var token) -> new Received.Inside(head, grant);
            case Received.Gateway(var head, var token, String policy, String scope) ->
                new Received.OwnGateway(head, grant, policy, scope);
            case Received.Malformed(Refusal refusal, var nobody) -> new Received.Malformed(refusal, grant);
            case Received.Inside known -> known;
            case Received.OwnTunnel known -> known;
            case Received.OwnGateway known -> known;
        };
    }
}
