package io.sallyport.proxy;

import io.sallyport.credential.Credential;
import io.sallyport.grant.Grant;
import io.sallyport.http.Field;
import io.sallyport.http.Framing;
import io.sallyport.http.Fields;
import io.sallyport.http.HostName;
import io.sallyport.http.Origin;
import io.sallyport.http.Parsed;
import io.sallyport.http.RequestHead;
import io.sallyport.http.Target;
import io.sallyport.policy.Scope;
import io.sallyport.rules.RuleBook;
import io.sallyport.rules.RuleBooks;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The first step: what a head asks for, in which form, with which token; 400 and 421 are its refusals. */
public final class Reception {

    private static final String GATEWAY = "/gateway/";

    private final RuleBooks books;

    public Reception(RuleBooks books) {
        this.books = books;
    }

    public Received receive(RawHead raw, Entrance entrance) {
        return switch (entrance) {
            case Entrance.Open ignored -> open(raw);
            case Entrance.Tunnel tunnel -> inside(raw, tunnel);
        };
    }

    private Received open(RawHead raw) {
        if (raw.fields().all("host").size() > 1 || (!raw.http10() && !raw.fields().has("host"))) {
            return malformed("an HTTP/1.1 request has exactly one Host field");
        }
        if (raw.method().equals("CONNECT")) {
            return tunnel(raw);
        }
        if (raw.target().startsWith(GATEWAY)) {
            return gateway(raw);
        }
        return raw.target().startsWith("/") || raw.target().equals("*")
                ? malformed("this is a proxy: ask with CONNECT, an absolute-form target, or /gateway/POLICY:SCOPE/")
                : forward(raw);
    }

    private Received tunnel(RawHead raw) {
        Parsed<Framing> framing = Framing.ofRequest(raw.fields(), raw.http10());
        if (!(framing instanceof Parsed.Valid<Framing>(Framing.None ignored))
                && !(framing instanceof Parsed.Valid<Framing>(Framing.Length(long length)) && length == 0)) {
            return malformed("a CONNECT has no content");
        }
        return orMalformed(Authority.parse(raw.target(), 0), authority -> {
            PresentedToken.Found found = PresentedToken.forward(raw.fields());
            return found.ambiguous()
                    ? ambiguous()
                    : new Received.Tunnel(authority.host(), authority.port(), found.token());
        });
    }

    private Received forward(RawHead raw) {
        int slashes = raw.target().indexOf("://");
        if (slashes < 0) {
            return malformed("the target has no form that a proxy takes");
        }
        int end = endOfAuthority(raw.target(), slashes + 3);
        Parsed<Origin> origin = Origin.parse(raw.target().substring(0, slashes).toLowerCase(Locale.ROOT)
                + raw.target().substring(slashes, end));
        PresentedToken.Found found = PresentedToken.forward(raw.fields());
        if (found.ambiguous()) {
            return ambiguous();
        }
        // RFC 9112 section 3.2.2: the target wins over whatever Host says.
        return orMalformed(
                origin.then(known -> head(raw, known, rooted(raw.target().substring(end)))),
                head -> new Received.Forward(head, found.token()));
    }

    private Received inside(RawHead raw, Entrance.Tunnel tunnel) {
        Origin origin = new Origin(tunnel.secure() ? "https" : "http", tunnel.host(), tunnel.port());
        List<String> hosts = raw.fields().all("host");
        if (hosts.size() > 1 || (hosts.isEmpty() && !raw.http10())) {
            return malformed("an HTTP/1.1 request has exactly one Host field", tunnel.grant());
        }
        Set<String> names = disagreeing(raw, origin, tunnel.serverName());
        if (!names.isEmpty()) {
            Refusal refusal = Refusal.of(
                    RefusalError.MISDIRECTED, "CONNECT, TLS server name and Host disagree: " + String.join(", ", names));
            return new Received.Malformed(refusal.closing(), tunnel.grant());
        }
        String target = raw.target();
        if (!target.startsWith("/") && target.contains("://")) {
            target = rooted(target.substring(endOfAuthority(target, target.indexOf("://") + 3)));
        }
        return switch (head(raw, origin, target)) {
            case Parsed.Valid<RequestHead>(RequestHead head) -> new Received.Inside(head, tunnel.grant());
            case Parsed.Malformed<RequestHead>(String reason) -> malformed(reason, tunnel.grant());
        };
    }

    /** Every name in play, when they are not one; empty when they are. */
    private static Set<String> disagreeing(RawHead raw, Origin tunnel, @Nullable String serverName) {
        Set<String> names = new TreeSet<>();
        names.add(tunnel.host() + ":" + tunnel.port());
        if (serverName != null) {
            names.add(canonical(serverName) + ":" + tunnel.port());
        }
        raw.fields().first("host").ifPresent(host -> names.add(authority(host, tunnel)));
        int slashes = raw.target().indexOf("://");
        if (!raw.target().startsWith("/") && slashes > 0) {
            names.add(authority(
                    raw.target().substring(slashes + 3, endOfAuthority(raw.target(), slashes + 3)), tunnel));
        }
        return names.size() > 1 ? names : Set.of();
    }

    private static String authority(String text, Origin tunnel) {
        return switch (Authority.parse(text, tunnel.secure() ? 443 : 80)) {
            case Parsed.Valid<Authority>(Authority known) -> known.host() + ":" + known.port();
            case Parsed.Malformed<Authority> ignored -> "(malformed)";
        };
    }

    private static String canonical(String name) {
        return HostName.canonical(name) instanceof Parsed.Valid<String>(String host) ? host : "(malformed)";
    }

    private Received gateway(RawHead raw) {
        String rest = raw.target().substring(GATEWAY.length());
        int end = endOfAuthority(rest, 0);
        String[] named = rest.substring(0, end).replace("%3A", ":").replace("%3a", ":").split(":", -1);
        if (named.length != 2 || named[0].isEmpty() || named[1].isEmpty()) {
            return malformed("a gateway target is /gateway/POLICY:SCOPE/…");
        }
        RuleBook book = books.current();
        Optional<Scope> scope = book.policy(named[0]).map(policy -> policy.scopes().get(named[1]));
        Set<String> slots = new TreeSet<>();
        scope.ifPresent(known -> book.credentialsOf(known).stream().map(Credential::slots).forEach(slots::addAll));
        PresentedToken.Found found = PresentedToken.gateway(raw.fields(), slots);
        if (found.ambiguous()) {
            return ambiguous();
        }
        // The slots that carried the token are emptied here: it is not a credential that the agent brought.
        List<String> carried = PresentedToken.gatewaySlots(slots);
        RawHead bare = new RawHead(
                raw.method(),
                raw.target(),
                raw.http10(),
                raw.fields().without(line -> carried.stream().anyMatch(line::is)));
        if (scope.isEmpty() || scope.get().destination().wildcard()) {
            return new Received.Gateway(null, found.token(), named[0], named[1]);
        }
        return orMalformed(
                head(bare, scope.get().destination().origin(), rooted(rest.substring(end))),
                head -> new Received.Gateway(head, found.token(), named[0], named[1]));
    }

    private static Parsed<RequestHead> head(RawHead raw, Origin origin, String target) {
        return Target.parse(target).then(parsed -> Framing.ofRequest(raw.fields(), raw.http10())
                .then(framing -> Parsed.valid(
                        new RequestHead(raw.method(), origin, parsed, named(raw, origin), framing, raw.http10()))));
    }

    /** The Host that is judged is the Host that is sent, first among the fields as RFC 9110 section 7.2 asks. */
    private static Fields named(RawHead raw, Origin origin) {
        List<Field> lines = new java.util.ArrayList<>();
        lines.add(new Field("Host", origin.authority()));
        raw.fields().without("host").forEach(lines::add);
        return Fields.of(lines);
    }

    private static String rooted(String rest) {
        return rest.startsWith("/") ? rest : "/" + rest;
    }

    private static int endOfAuthority(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '/' || c == '?' || c == '#') {
                return i;
            }
        }
        return text.length();
    }

    private static <T> Received orMalformed(Parsed<T> parsed, Function<T, Received> received) {
        return switch (parsed) {
            case Parsed.Valid<T>(T value) -> received.apply(value);
            case Parsed.Malformed<T>(String reason) -> malformed(reason);
        };
    }

    private static Received ambiguous() {
        return new Received.Malformed(
                Refusal.of(RefusalError.AMBIGUOUS_TOKEN, "two different tokens were presented").closing(), null);
    }

    private static Received malformed(String reason) {
        return malformed(reason, null);
    }

    private static Received malformed(String reason, @Nullable Grant grant) {
        return new Received.Malformed(Refusal.of(RefusalError.MALFORMED, reason).closing(), grant);
    }
}
