package io.sallyport.credential;

import io.sallyport.credential.injection.Injection;
import io.sallyport.credential.injection.Injector;
import io.sallyport.credential.injection.Placement;
import io.sallyport.credential.source.Material;
import io.sallyport.credential.source.Reach;
import io.sallyport.credential.source.SourceFault;
import io.sallyport.credential.source.SourceTools;
import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import io.sallyport.http.Destination;
import io.sallyport.http.Fields;
import io.sallyport.http.Framing;
import io.sallyport.http.Origin;
import io.sallyport.http.Parsed;
import io.sallyport.http.RequestHead;
import io.sallyport.http.ResponseHead;
import io.sallyport.http.Target;
import io.sallyport.net.GuardedExchange.Answer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Whose account a secret opens, as the destination itself says: asked with each new secret before it is used, so that one that was
 * exchanged at its source for somebody else's takes nothing to their account.
 *
 * @param origin of {@code target}, one of the credential's destinations
 * @param member where the answer says it
 * @param allowed what it may say, at least one
 */
record AccountCheck(Reach reach, Origin origin, Target target, JsonPointer member, List<String> allowed) {

    /** For the request and its answer. */
    static final Duration WITHIN = Duration.ofSeconds(5);

    private static final int LIMIT = 256 * 1024;
    private static final JsonMapper JSON = new JsonMapper();

    private static final Form<JsonPointer> MEMBER = Forms.TEXT.then(text -> text.startsWith("/") && text.length() > 1
            ? Reading.of(JsonPointer.compile(text))
            : Reading.unreadable(Forms.quote(text)
                    + " is not a place in JSON; allowed: names of members after slashes (RFC 6901), as in /login"));

    /** Empty where the document has none, and where a problem has been noted. */
    static Optional<AccountCheck> read(Keys document, List<Destination> destinations, Optional<Injection> injection) {
        return document.optionalChild("account").flatMap(keys -> {
            Reach reach = Reach.read(keys);
            Optional<URI> url = keys.required("url", Reach.URL);
            Optional<JsonPointer> member = keys.required("member", MEMBER);
            List<String> allowed = keys.list("is", Forms.TEXT);
            if (injection.filter(it -> !it.needsNoContent()).isPresent()) {
                document.problem(
                        "account",
                        "can't be asked with this injection; allowed: with one that puts the secret in a request without content");
            }
            if (url.isEmpty() || member.isEmpty() || allowed.isEmpty()) {
                return Optional.empty();
            }
            Origin origin = Origin.parse(
                            url.get().getScheme() + "://" + url.get().getRawAuthority())
                    .orElseThrow();
            if (destinations.stream().noneMatch(destination -> destination.matches(origin))) {
                keys.problem("url", "is at none of the destinations, the only places that the secret may go to");
                return Optional.empty();
            }
            String path = url.get().getRawPath();
            return switch (Target.parse(path.isEmpty() ? "/" : path)) {
                case Parsed.Valid<Target>(Target target) ->
                    Optional.of(new AccountCheck(reach, origin, target, member.get(), allowed));
                case Parsed.Malformed<Target>(String reason) -> {
                    keys.problem("url", "has a path that can't be asked for: " + reason);
                    yield Optional.empty();
                }
            };
        });
    }

    /** @throws SourceFault where the answer names another account, or none */
    void check(Material material, Injection injection, SourceTools tools) throws SourceFault {
        Answer answer = ask(material, injection, tools);
        if (answer.status() == 401 || answer.status() == 403) {
            throw SourceFault.denied("its account can't be told: " + url() + " answered " + answer.status());
        }
        if (answer.status() != 200) {
            throw SourceFault.down("its account can't be told: " + url() + " answered " + answer.status());
        }
        String named = named(answer);
        if (!allowed.contains(named)) {
            throw SourceFault.bad("it opens the account " + (named.isEmpty() ? "of nobody" : Forms.quote(named))
                    + " by " + url() + ", and the document allows " + String.join(", ", allowed));
        }
    }

    private Answer ask(Material material, Injection injection, SourceTools tools) throws SourceFault {
        try (Injector injector = injection.injector(material, PlaceholderNeedle::new)) {
            Placement placement = injector.placement(tools.clock());
            RequestHead head = injected(placement);
            Answer answer = reach.ask(tools, url(), question(placement.stamp(head)), WITHIN, LIMIT);
            if (answer.status() == 401 && answer.fields().has("DPoP-Nonce")) {
                // It gives its nonces with a refusal (RFC 9449 section 8.2), and has given one now.
                placement.answered(new ResponseHead(401, "", answer.fields(), new Framing.None(), false));
                answer = reach.ask(tools, url(), question(placement.stamp(head)), WITHIN, LIMIT);
            }
            return answer;
        }
    }

    private RequestHead injected(Placement placement) throws SourceFault {
        RequestHead asked = new RequestHead(
                "GET",
                origin,
                target,
                Fields.of("Accept", "application/json", "User-Agent", "sallyport"),
                new Framing.None(),
                false);
        Injected injected = placement.head(asked, asked);
        if (injected instanceof Injected.Done(RequestHead head, var ignored)
                && placement.content() == ContentUse.WHOLE) {
            injected = placement.whole(head, new byte[0]);
        }
        return switch (injected) {
            case Injected.Done(RequestHead head, var ignored) -> head;
            case Injected.Refused(var ignored, String reason) ->
                throw SourceFault.bad("its account can't be asked: " + reason);
        };
    }

    private static Reach.Question question(RequestHead head) {
        Origin origin = head.origin();
        return new Reach.Question(
                head.method(),
                URI.create(origin + head.target().text()),
                head.fields().without("host"),
                null);
    }

    /** Empty where it names none. */
    private String named(Answer answer) throws SourceFault {
        try {
            JsonNode value = JSON.readTree(answer.content()).at(member);
            return value.isValueNode() && !value.isNull() ? value.asString() : "";
        } catch (JacksonException notJson) {
            throw SourceFault.bad("its account can't be told: " + url() + " gave an answer that is no JSON");
        }
    }

    private String url() {
        return origin + target.path();
    }

    @Override
    public String toString() {
        return url() + " " + member + " " + allowed + " " + reach;
    }
}
