package io.sallyport.credential.source;

import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.token.RefreshToken;
import io.sallyport.credential.source.RefreshTokens.Access;
import io.sallyport.credential.source.RefreshTokens.Chain;
import io.sallyport.credential.source.RefreshTokens.State;
import io.sallyport.credential.source.TokenEndpoint.Outcome;
import io.sallyport.credential.source.TokenEndpoint.Tokens;
import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access tokens for a refresh token that a person entered (RFC 6749 section 6). Issuers that give a new one with each answer take the use
 * of an old one for theft and end them all (RFC 9700 section 4.14): so the newest is kept in the store, marked before it is used, and
 * never used twice but for one try after an answer that was lost.
 *
 * @param rotates whether each answer may bring the next refresh token and end the one that was shown
 * @param grace how long after a lost answer the issuer forgives the same token; zero for not at all
 */
record RefreshTokenSource(TokenEndpoint endpoint, OAuthClient client, boolean rotates, Duration grace)
        implements SecretSource {

    static final SourceKind KIND = new SourceKind("oauth-refresh-token", RefreshTokenSource::read);

    private static final Logger LOG = LoggerFactory.getLogger(RefreshTokenSource.class);

    private static final Duration LONGEST_GRACE = Duration.ofMinutes(5);
    private static final Duration USUAL_GRACE = Duration.ofSeconds(30);

    /** Who has marked a token and has not come back by then never will: longer than a call may take. */
    private static final Duration GIVEN_UP = Duration.ofSeconds(12);

    private static final Duration BEFORE_ANOTHER_TRY = Duration.ofSeconds(1);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private static final String ANEW = "; a new one must be entered";

    private static final Form<Duration> GRACE = Forms.DURATION.then(time -> time.compareTo(LONGEST_GRACE) <= 0
            ? Reading.of(time)
            : Reading.unreadable("is out of bounds; allowed: 0s to 5min"));

    private static Optional<RefreshTokenSource> read(Keys keys) {
        Optional<TokenEndpoint> endpoint = TokenEndpoint.read(keys, false);
        Optional<OAuthClient> client = OAuthClient.read(keys, true);
        boolean rotates = keys.optional("rotates", Forms.FLAG).orElse(true);
        Duration grace = keys.optional("reuse-grace", GRACE).orElse(USUAL_GRACE);
        return endpoint.flatMap(there -> client.map(who -> new RefreshTokenSource(there, who, rotates, grace)));
    }

    @Override
    public String kind() {
        return KIND.name();
    }

    @Override
    public Fetched fetch(Fetch fetch) throws SourceFault, InterruptedException {
        if (!(fetch.tools().local().read(fetch.credential(), fetch.face(), null) instanceof Fetched.Given entered)) {
            throw SourceFault.bad("its refresh token could not be read");
        }
        try (Material first = entered.material()) {
            return fetch(fetch, String.valueOf(entered.stamp()), first);
        }
    }

    private Fetched fetch(Fetch fetch, String entry, Material first) throws SourceFault, InterruptedException {
        while (true) {
            Chain chain = fetch.tools().refreshTokens().read(fetch.credential(), entry);
            Instant now = fetch.tools().clock().instant();
            Fetched good = served(fetch, chain, now);
            if (good != null) {
                return good;
            }
            switch (chain.state()) {
                case REFUSED -> throw refused();
                case LOST -> throw lost();
                case READY -> {
                    TokenFaults.calm(fetch, endpoint.uri());
                    good = claimed(fetch, chain, first);
                }
                case IN_FLIGHT -> good = left(fetch, chain, first, now);
            }
            if (good != null) {
                return good;
            }
        }
    }

    /** What an earlier answer gave, here or on another node, while it is young enough; null where another is needed. */
    private static @Nullable Fetched served(Fetch fetch, Chain chain, Instant now) {
        Access access = chain.access();
        Stamp stamp = new Stamp(chain.entry(), chain.generation());
        if (access == null || (fetch.rejected() && stamp.equals(fetch.known()))) {
            return null;
        }
        Duration left = Duration.between(now, access.until());
        Duration life = Duration.between(access.from(), access.until());
        // Whoever asks for the next one ahead of time does so in the last third; while another does that, or nobody
        // can,
        // the old one is good to its end.
        boolean young = switch (chain.state()) {
            case READY -> left.compareTo(life.multipliedBy(2).dividedBy(5)) > 0;
            case IN_FLIGHT -> left.isPositive() && underWay(chain, now);
            case LOST -> left.isPositive();
            case REFUSED -> false;
        };
        if (!young) {
            return null;
        }
        return stamp.equals(fetch.known())
                ? new Fetched.Unchanged(left)
                : Fetched.given(Material.of(access.token().clone()), stamp, left);
    }

    private record Stamp(String entry, long generation) {}

    /** Somebody has marked it: waits for what comes of that, and takes over from one who never came back. */
    private @Nullable Fetched left(Fetch fetch, Chain chain, Material first, Instant now)
            throws SourceFault, InterruptedException {
        if (underWay(chain, now)) {
            Thread.sleep(LOOK_AGAIN);
            return null;
        }
        if (rotates && (chain.tries() > 1 || now.isAfter(chain.since().plus(grace)))) {
            settleLost(fetch, chain);
            return null;
        }
        return claimed(fetch, chain, first);
    }

    private static boolean underWay(Chain chain, Instant now) {
        return now.isBefore(chain.since().plus(GIVEN_UP));
    }

    private @Nullable Fetched claimed(Fetch fetch, Chain seen, Material first)
            throws SourceFault, InterruptedException {
        Chain claimed = fetch.tools().refreshTokens().claim(seen);
        return claimed == null ? null : used(fetch, claimed, first);
    }

    private @Nullable Fetched used(Fetch fetch, Chain claimed, Material first)
            throws SourceFault, InterruptedException {
        Instant asked = fetch.tools().clock().instant();
        byte[] newest = claimed.refresh() == null
                ? first.part(Material.SECRET).orElseThrow().bytes()
                : claimed.refresh();
        RefreshToken shown = new RefreshToken(new String(newest, StandardCharsets.US_ASCII));
        switch (endpoint.attempt(fetch, client, new RefreshTokenGrant(shown), true)) {
            case Outcome.Given(Tokens tokens) -> {
                return kept(fetch, claimed, tokens, asked);
            }
            case Outcome.Refused(SourceFault fault) -> {
                if (!TokenFaults.gone(fault) && rotates && claimed.tries() > 1) {
                    // This time nothing was used up; the time before, perhaps.
                    settleLost(fetch, claimed);
                    return null;
                }
                if (!TokenFaults.gone(fault)) {
                    fetch.tools().refreshTokens().settle(claimed, State.READY);
                    throw fault;
                }
                if (fetch.tools().refreshTokens().settle(claimed, State.REFUSED)) {
                    LOG.error(
                            "the credential {} is out of use: {}",
                            fetch.credential(),
                            refused().cause());
                }
                return null;
            }
            case Outcome.Lost(SourceFault fault) -> {
                return again(fetch, claimed, first, fault);
            }
        }
    }

    private @Nullable Fetched kept(Fetch fetch, Chain claimed, Tokens tokens, Instant asked) {
        byte[] refresh = tokens.refresh() == null ? null : tokens.refresh().getBytes(StandardCharsets.US_ASCII);
        Access access = new Access(tokens.access().getBytes(StandardCharsets.UTF_8), asked, asked.plus(tokens.lives()));
        Chain now = fetch.tools().refreshTokens().answered(claimed, refresh, access);
        // Where the chain is another by now, another token was entered meanwhile: that one counts.
        return now == null
                ? null
                : Fetched.given(
                        Material.of(access.token().clone()), new Stamp(now.entry(), now.generation()), tokens.lives());
    }

    /** An answer was lost. Once more, while the issuer forgives it; then never again. */
    private @Nullable Fetched again(Fetch fetch, Chain claimed, Material first, SourceFault fault)
            throws SourceFault, InterruptedException {
        if (!rotates) {
            fetch.tools().refreshTokens().settle(claimed, State.READY);
            throw fault;
        }
        if (claimed.tries() > 1 || grace.isZero()) {
            settleLost(fetch, claimed);
            return null;
        }
        Thread.sleep(BEFORE_ANOTHER_TRY);
        return claimed(fetch, claimed, first);
    }

    private static void settleLost(Fetch fetch, Chain chain) {
        if (fetch.tools().refreshTokens().settle(chain, State.LOST)) {
            LOG.error(
                    "the credential {} goes out of use when its access token ends: {}",
                    fetch.credential(),
                    lost().cause());
        }
    }

    private static SourceFault refused() {
        return SourceFault.denied("its token endpoint no longer takes its refresh token (invalid_grant)" + ANEW);
    }

    private static SourceFault lost() {
        return SourceFault.denied("the answer to the last use of its refresh token was lost, and using it again would"
                + " look like theft" + ANEW);
    }

    @Override
    public boolean writtenIn() {
        return true;
    }

    /** The refresh token goes there: sent elsewhere, it must be entered anew. */
    @Override
    public String sealedWith() {
        return endpoint.uri().toString();
    }

    /** Two calls that get no answer, what lies between, and one that another has under way. */
    @Override
    public Duration deadline() {
        return Duration.ofSeconds(40);
    }

    @Override
    public List<Path> trusts() {
        return endpoint.trusts();
    }
}
