package io.sallyport.proxy;

import io.sallyport.credential.Credential;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.http.Authority;
import io.sallyport.http.Field;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Origin;
import io.sallyport.http.Parsed;
import io.sallyport.http.RequestHead;
import io.sallyport.http.RequestTarget;
import io.sallyport.http.Target;
import io.sallyport.policy.Scope;
import io.sallyport.rules.RuleBook;
import io.sallyport.rules.RuleBooks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The first step: what a head asks for, in which form, with which token; 400 and 421 are its refusals. */
public final class Reception {

    static final String GATEWAY = "/gateway/";
    private static final int LONGEST_NAME = 63;

    private final RuleBooks books;
    private final OwnReception own;

    /** @param names of the hop's own */
    public Reception(RuleBooks books, Grants grants, List<String> names) {
        this.books = books;
        this.own = new OwnReception(grants, names);
    }

    public Received receive(RawHead raw, Entrance entrance) {
        return switch (entrance) {
            case Entrance.Open ignored -> open(raw, Reception::ambiguous);
            case Entrance.Own listener ->
                own.unfit(raw, listener)
                        .orElseGet(() -> OwnReception.held(
                                open(raw, found -> own.anothers(found, listener.grant())), listener.grant()));
            case Entrance.Tunnel tunnel -> inside(raw, tunnel);
            case Entrance.Transparent led -> led(raw, led);
        };
    }

    /** One request of HTTP/2: what it says is read in HTTP/1.1's terms, and from there on judged by the same lines. */
    public Received receive(StreamHead head, Entrance entrance) {
        Grant grant = entrance.grant();
        boolean speaks = switch (entrance) {
            case Entrance.Open ignored -> true;
            case Entrance.Own ignored -> true;
            case Entrance.Tunnel tunnel -> head.speaks(tunnel.secure() ? "https" : "http");
            case Entrance.Transparent ignored -> head.speaks("http");
        };
        if (!speaks) {
            return new Received.Malformed(
                    Refusal.of(RefusalError.MISDIRECTED, "the connection and :scheme disagree"), grant);
        }
        return switch (head.inHttp1(entrance)) {
            case Parsed.Malformed<RawHead>(String reason) -> malformed(reason, grant);
            case Parsed.Valid<RawHead>(RawHead raw) -> receive(raw, entrance);
        };
    }

    /** Without TLS, Host alone says where a request was going; its port must be the one that was dialled. */
    private Received led(RawHead raw, Entrance.Transparent led) {
        Parsed<Authority> named = raw.fields()
                .first("host")
                .map(Authority::parse)
                .orElseGet(() -> Parsed.malformed("a request that names no host"));
        return switch (named) {
            case Parsed.Malformed<Authority>(String reason) -> malformed(reason, led.grant());
            case Parsed.Valid<Authority>(Authority authority) ->
                inside(raw, new Entrance.Tunnel(led.grant(), authority.host(), led.port(), false, null));
        };
    }

    /** @param doubt whether the tokens that were presented are a reason to refuse */
    private Received open(RawHead raw, Function<PresentedToken.Found, Optional<Received>> doubt) {
        if (raw.target().startsWith(GATEWAY)) {
            return gateway(raw, doubt);
        }
        PresentedToken.Found found = PresentedToken.forward(raw.fields());
        Optional<Received> doubtful = doubt.apply(found);
        if (doubtful.isPresent()) {
            return doubtful.get();
        }
        return orMalformed(form(raw), form -> switch (form) {
            case RequestTarget.AuthorityForm(Authority authority) -> tunnel(raw, authority, found.token());
            // RFC 9112 section 3.2.2: the target wins over whatever Host says.
            case RequestTarget.AbsoluteForm(Origin origin, Target target) ->
                orMalformed(head(raw, origin, target), head -> new Received.Forward(head, found.token()));
            case RequestTarget.OriginForm ignored -> wrongForm();
            case RequestTarget.Asterisk ignored -> wrongForm();
        });
    }

    private static Received tunnel(RawHead raw, Authority authority, @Nullable String token) {
        return orMalformed(raw.framing(), framing -> switch (framing) {
            case Framing.None ignored -> new Received.Tunnel(authority.host(), authority.port(), token);
            case Framing.Length(long length)
            when length == 0 -> new Received.Tunnel(authority.host(), authority.port(), token);
            case Framing.Length ignored -> malformed("a CONNECT has no content");
            case Framing.Chunked ignored -> malformed("a CONNECT has no content");
            case Framing.UntilClose ignored -> malformed("a CONNECT has no content");
        });
    }

    private static Received wrongForm() {
        return malformed("this is a proxy: ask with CONNECT, an absolute-form target, or /gateway/POLICY:SCOPE/");
    }

    /** The target's form, once it is known that the message names one host or, in HTTP/1.0, perhaps none. */
    private static Parsed<RequestTarget> form(RawHead raw) {
        return hostless(raw)
                ? Parsed.malformed("an HTTP/1.1 request has exactly one Host field")
                : RequestTarget.parse(raw.method(), raw.target());
    }

    /** RFC 9112 section 3.2: one Host, which only HTTP/1.0 may leave out. */
    private static boolean hostless(RawHead raw) {
        int hosts = raw.fields().all("host").size();
        return hosts > 1 || (hosts == 0 && !raw.http10());
    }

    private Received inside(RawHead raw, Entrance.Tunnel tunnel) {
        Origin origin = new Origin(tunnel.secure() ? "https" : "http", tunnel.host(), tunnel.port());
        Parsed<RequestHead> head = form(raw).then(form -> switch (form) {
            case RequestTarget.OriginForm(Target target) -> head(raw, origin, target);
            case RequestTarget.AbsoluteForm(Origin ignored, Target target) -> head(raw, origin, target);
            case RequestTarget.AuthorityForm ignored -> Parsed.malformed("a tunnel has no tunnel inside");
            case RequestTarget.Asterisk ignored -> Parsed.malformed("no scope can allow the target '*'");
        });
        return switch (head) {
            case Parsed.Malformed<RequestHead>(String reason) -> malformed(reason, tunnel.grant());
            case Parsed.Valid<RequestHead>(RequestHead valid) -> {
                Set<String> names = disagreeing(raw, origin, tunnel.serverName());
                yield names.isEmpty()
                        ? new Received.Inside(valid, tunnel.grant())
                        : new Received.Malformed(misdirected(names), tunnel.grant());
            }
        };
    }

    private static Refusal misdirected(Set<String> names) {
        return Refusal.of(
                RefusalError.MISDIRECTED, "CONNECT, TLS server name and Host disagree: " + String.join(", ", names));
    }

    /** Every name in play, when they are not one; empty when they are. */
    private static Set<String> disagreeing(RawHead raw, Origin tunnel, @Nullable String serverName) {
        if (plainlyOne(raw, tunnel, serverName)) {
            return Set.of();
        }
        Set<String> names = new TreeSet<>();
        names.add(tunnel.host() + ":" + tunnel.port());
        if (serverName != null) {
            names.add(named(serverName + ":" + tunnel.port(), tunnel));
        }
        raw.fields().first("host").ifPresent(host -> names.add(named(host, tunnel)));
        if (RequestTarget.parse(raw.method(), raw.target())
                instanceof Parsed.Valid<RequestTarget>(RequestTarget.AbsoluteForm(Origin origin, Target ignored))) {
            names.add(origin.host() + ":" + origin.port());
        }
        return names.size() > 1 ? names : Set.of();
    }

    /** The usual case: every name in its canonical spelling, so that there is nothing to parse. */
    private static boolean plainlyOne(RawHead raw, Origin tunnel, @Nullable String serverName) {
        return raw.target().startsWith("/")
                && (serverName == null || serverName.equals(tunnel.host()))
                && tunnel.authority().equals(raw.fields().first("host").orElse(null));
    }

    private static String named(String text, Origin tunnel) {
        return switch (Authority.parse(text)) {
            case Parsed.Valid<Authority>(Authority known) ->
                known.host() + ":" + (known.port() == 0 ? tunnel.defaultPort() : known.port());
            case Parsed.Malformed<Authority> ignored -> "(malformed)";
        };
    }

    private Received gateway(RawHead raw, Function<PresentedToken.Found, Optional<Received>> doubt) {
        String rest = raw.target().substring(GATEWAY.length());
        int end = endOfAuthority(rest, 0);
        String[] named =
                rest.substring(0, end).replace("%3A", ":").replace("%3a", ":").split(":", -1);
        if (named.length != 2 || unlikeName(named[0]) || unlikeName(named[1])) {
            return malformed("a gateway target is /gateway/POLICY:SCOPE/…");
        }
        if (hostless(raw)) {
            return malformed("an HTTP/1.1 request has exactly one Host field");
        }
        RuleBook book = books.current();
        Optional<Scope> scope =
                book.policy(named[0]).map(policy -> policy.scopes().get(named[1]));
        Set<String> slots = new TreeSet<>();
        scope.ifPresent(known ->
                book.credentialsOf(known).stream().map(Credential::slots).forEach(slots::addAll));
        // A client sends cookies of its own: none of them is a token.
        slots.remove("cookie");
        Predicate<Field> asks =
                scope.map(book::credentialsOf).map(Reception::placeholders).orElse(line -> false);
        PresentedToken.Found found = PresentedToken.gateway(raw.fields().without(asks), slots);
        Optional<Received> doubtful = doubt.apply(found);
        if (doubtful.isPresent()) {
            return doubtful.get();
        }
        // The slots that carried the token are emptied here: it is not a credential that the agent brought.
        List<String> carried = PresentedToken.gatewaySlots(slots);
        RawHead bare = new RawHead(
                raw.method(),
                raw.target(),
                raw.http10(),
                raw.fields()
                        .without(line -> carried.stream().anyMatch(line::is)
                                && !asks.test(line)
                                && !PresentedToken.signature(line.value())),
                raw.framing());
        if (scope.isEmpty() || scope.get().destination().wildcard()) {
            return new Received.Gateway(null, found.token(), named[0], named[1]);
        }
        Origin origin = scope.get().destination().origin();
        return orMalformed(
                Target.parse(rooted(rest.substring(end))).then(target -> head(bare, origin, target)),
                head -> new Received.Gateway(head, found.token(), named[0], named[1]));
    }

    /** Whether a field asks for a credential by its placeholder, which is no token: then the token stands in another one. */
    private static Predicate<Field> placeholders(List<Credential> credentials) {
        Set<String> placeholders = credentials.stream()
                .map(Credential::placeholder)
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
        return placeholders.isEmpty() ? line -> false : line -> PresentedToken.shows(line.value(), placeholders);
    }

    private static Parsed<RequestHead> head(RawHead raw, Origin origin, Target target) {
        return raw.framing()
                .then(framing -> Parsed.valid(
                        new RequestHead(raw.method(), origin, target, hosted(raw, origin), framing, raw.http10())));
    }

    /** The Host that is judged is the Host that is sent, first among the fields as RFC 9110 section 7.2 asks. */
    private static Fields hosted(RawHead raw, Origin origin) {
        List<Field> lines = new ArrayList<>(raw.fields().size() + 1);
        lines.add(new Field("Host", origin.authority()));
        for (Field line : raw.fields()) {
            if (!line.is("host")) {
                lines.add(line);
            }
        }
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

    /** No document has a longer name. It may be a token in the wrong place, and must not be repeated in a refusal and its entry. */
    private static boolean unlikeName(String name) {
        return name.isEmpty() || name.length() > LONGEST_NAME;
    }

    private static <T> Received orMalformed(Parsed<T> parsed, Function<T, Received> received) {
        return switch (parsed) {
            case Parsed.Valid<T>(T value) -> received.apply(value);
            case Parsed.Malformed<T>(String reason) -> malformed(reason);
        };
    }

    private static Optional<Received> ambiguous(PresentedToken.Found found) {
        return found.ambiguous()
                ? Optional.of(new Received.Malformed(
                        Refusal.of(RefusalError.AMBIGUOUS_TOKEN, "two different tokens were presented"), null))
                : Optional.empty();
    }

    private static Received malformed(String reason) {
        return malformed(reason, null);
    }

    private static Received malformed(String reason, @Nullable Grant grant) {
        return new Received.Malformed(Refusal.of(RefusalError.MALFORMED, reason), grant);
    }
}
