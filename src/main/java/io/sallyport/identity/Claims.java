package io.sallyport.identity;

import io.sallyport.http.Parsed;
import io.sallyport.identity.Verified.Party;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** What a token's claims must say before anybody is believed (RFC 7519 section 4.1). Pure: the time is a parameter. */
final class Claims {

    private static final int LONGEST_SUBJECT = 512;

    /** 9999-12-31: later dates overflow where they are printed. */
    private static final double LAST_SECOND = 253_402_300_799.0;

    private final Jws token;
    private final Identity identity;

    Claims(Jws token, Identity identity) {
        this.token = token;
        this.identity = identity;
    }

    /**
     * Whether the token is meant for this broker: {@code aud} is one of the identity's audiences, or a list of nothing else. A list that
     * has others beside ours was made for somebody else too: it passes only when {@code azp} says that it was issued to us.
     */
    static boolean meantFor(Jws token, Set<String> ours) {
        JsonNode audience = token.claims().path("aud");
        if (audience.isString()) {
            return ours.contains(audience.asString());
        }
        if (!audience.isArray() || audience.isEmpty()) {
            return false;
        }
        Set<String> named = new HashSet<>();
        for (JsonNode each : audience) {
            if (!each.isString()) {
                return false;
            }
            named.add(each.asString());
        }
        return ours.containsAll(named) || (named.stream().anyMatch(ours::contains) && ours.contains(token.text("azp")));
    }

    Parsed<Verified> check(Instant now) {
        return boundless()
                .then(token -> subject())
                .then(subject -> times(now)
                        .then(times -> mayAct().then(party -> Parsed.valid(new Verified(
                                new Principal(identity.name(), subject),
                                identity.isolation(),
                                times.from(),
                                times.until(),
                                identity.issuer(),
                                party.isEmpty() ? null : party.get())))));
    }

    /** Two kinds of token say more than can be carried on, and to drop it would make the record false. */
    private Parsed<Jws> boundless() {
        if (token.claims().has("cnf")) {
            return Parsed.malformed("bound to a key (cnf) whose possession is not shown");
        }
        if (token.claims().has("act")) {
            return Parsed.malformed("somebody else acts on it already (act)");
        }
        return Parsed.valid(token);
    }

    private Parsed<String> subject() {
        String subject = token.text("sub");
        boolean sound = !subject.isEmpty()
                && subject.length() <= LONGEST_SUBJECT
                && subject.chars().noneMatch(Character::isISOControl);
        return sound ? Parsed.valid(subject) : Parsed.malformed("no usable sub");
    }

    private record Times(Instant from, Instant until) {}

    private Parsed<Times> times(Instant now) {
        Duration skew = identity.skew();
        if (!token.claims().has("exp")) {
            return Parsed.malformed("no exp");
        }
        for (String claim : new String[] {"exp", "nbf", "iat"}) {
            JsonNode value = token.claims().path(claim);
            if (token.claims().has(claim)
                    && !(value.isNumber() && value.asDouble() >= 0 && value.asDouble() <= LAST_SECOND)) {
                return Parsed.malformed(claim + " is no NumericDate");
            }
        }
        Instant end = instant("exp", now);
        if (!now.isBefore(end.plus(skew))) {
            return Parsed.malformed("expired " + Duration.between(end, now).toSeconds() + " s ago");
        }
        for (String claim : new String[] {"nbf", "iat"}) {
            if (instant(claim, now).isAfter(now.plus(skew))) {
                return Parsed.malformed(claim + " is "
                        + Duration.between(now, instant(claim, now)).toSeconds() + " s ahead");
            }
        }
        return Parsed.valid(new Times(instant("iat", instant("nbf", now)), end));
    }

    private Instant instant(String claim, Instant otherwise) {
        JsonNode value = token.claims().path(claim);
        return value.isNumber() ? Instant.ofEpochSecond((long) value.asDouble()) : otherwise;
    }

    /** Who may act for the subject. What of it can't be checked refuses: a condition that is skipped is a condition lifted. */
    private Parsed<java.util.Optional<Party>> mayAct() {
        JsonNode claim = token.claims().path("may_act");
        if (claim.isMissingNode()) {
            return Parsed.valid(java.util.Optional.empty());
        }
        boolean known = claim.isObject()
                && claim.path("sub").isString()
                && (claim.size() == 1 || (claim.size() == 2 && claim.path("iss").isString()));
        if (!known) {
            return Parsed.malformed("a may_act with more than sub and iss");
        }
        String issuer = claim.path("iss").asString(identity.issuer());
        return Parsed.valid(
                java.util.Optional.of(new Party(issuer, claim.path("sub").asString())));
    }
}
