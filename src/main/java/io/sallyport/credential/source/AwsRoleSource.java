package io.sallyport.credential.source;

import io.sallyport.document.Form;
import io.sallyport.document.Forms;
import io.sallyport.document.Keys;
import io.sallyport.document.Reading;
import io.sallyport.grant.Grant;
import io.sallyport.net.AwsPlace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A session of an AWS role for each grant, with no more life and no more rights than the grant needs. It can't be given back: AWS knows no
 * revocation of one session. What the broker holds of it is dropped with the grant, and it never was anywhere else.
 *
 * @param sts where roles are taken on
 * @param longest how long a session may live; it gets what is left of its grant, and at least the quarter of an hour that AWS insists on
 * @param limits all of which hold
 */
record AwsRoleSource(AwsPlace sts, AwsAccess access, AwsRole role, Duration longest, List<AwsLimits> limits)
        implements SecretSource {

    static final SourceKind KIND = new SourceKind("aws-sts", AwsRoleSource::read);

    private static final Duration WITHIN = Duration.ofSeconds(9);
    private static final Duration LONGEST = Duration.ofHours(12);
    private static final int NAMED_BY = 24;

    private static final Form<Duration> LIFE =
            Forms.DURATION.then(life -> life.compareTo(AwsSession.SHORTEST) >= 0 && life.compareTo(LONGEST) <= 0
                    ? Reading.of(life)
                    : Reading.unreadable("is too short or too long; allowed: 15min to 12h, which is what AWS gives"));

    AwsRoleSource {
        limits = List.copyOf(limits);
    }

    private static Optional<AwsRoleSource> read(Keys keys) {
        Optional<AwsPlace> sts = AwsKeys.place(keys);
        Optional<AwsAccess> access = AwsAccess.read(keys, true);
        Optional<AwsRole> role = AwsRole.read(keys);
        Optional<Duration> life = keys.optional("duration", LIFE);
        AwsLimits limits = AwsLimits.read(keys);
        access.ifPresent(it -> check(keys, it, life));
        if (Stream.of(sts, access, role).anyMatch(Optional::isEmpty)) {
            return Optional.empty();
        }
        return checked(
                keys,
                new AwsRoleSource(
                        sts.get(),
                        access.get(),
                        role.get(),
                        life.orElse(AwsSession.LONGEST_CHAINED),
                        limits.empty() ? List.of() : List.of(limits)));
    }

    private static void check(Keys keys, AwsAccess access, Optional<Duration> life) {
        boolean chained = !access.via().isEmpty();
        if (chained
                && life.filter(it -> it.compareTo(AwsSession.LONGEST_CHAINED) > 0)
                        .isPresent()) {
            keys.problem(
                    "duration",
                    "is longer than AWS lets a role live that another role takes on; allowed: up to 1h, or no access.via");
        }
        if (access.token() != null && !chained && keys.has("external-id")) {
            keys.problem("external-id", "has no use where a token opens the role, which takes none; leave it out");
        }
    }

    /** What only shows when all limits are seen together. */
    private static Optional<AwsRoleSource> checked(Keys keys, AwsRoleSource source) {
        if (source.byTokenAlone()
                && source.limits.stream().anyMatch(it -> !it.tags().isEmpty())) {
            keys.problem(
                    "tags",
                    "can't be given where a token opens the role: AWS takes them from the token; allowed:"
                            + " access.via with a role that takes on this one");
            return Optional.empty();
        }
        Optional<String> policy = AwsSessionPolicy.of(source.limits);
        if (policy.filter(text -> text.length() > AwsSessionPolicy.LONGEST).isPresent()) {
            keys.problem("makes a session policy of " + policy.get().length() + " characters; allowed: 2048, less where"
                    + " its packed form is large");
            return Optional.empty();
        }
        return Optional.of(source);
    }

    private boolean byTokenAlone() {
        return access.token() != null && access.via().isEmpty();
    }

    @Override
    public Optional<SecretSource> narrowed(Keys keys) {
        AwsLimits more = AwsLimits.read(keys);
        if (more.empty()) {
            keys.problem("says nothing; allowed: policy, actions, resources, account and tags");
            return Optional.empty();
        }
        List<AwsLimits> all = new ArrayList<>(limits);
        all.add(more);
        if (!AwsSessionPolicy.possible(all)) {
            keys.problem(
                    "policy",
                    "stands beside another policy, in the credential, and AWS takes one; allowed: actions"
                            + " and resources in one of the two");
            return Optional.empty();
        }
        for (AwsLimits before : limits) {
            for (String key : more.tags().keySet()) {
                if (before.tags().containsKey(key)) {
                    keys.problem("tags", "has " + Forms.quote(key) + ", which the credential gives a value already");
                    return Optional.empty();
                }
            }
        }
        return checked(keys, new AwsRoleSource(sts, access, role, longest, all)).map(source -> source);
    }

    @Override
    public String kind() {
        return "aws-sts";
    }

    @Override
    public Sharing sharing() {
        return Sharing.PER_GRANT;
    }

    @Override
    public Fetched fetch(Fetch fetch) throws SourceFault, InterruptedException {
        AwsCaller caller = new AwsCaller(fetch.tools(), WITHIN);
        AwsSelf self = access.self(caller, sts, fetch);
        Instant now = fetch.tools().clock().instant();
        AwsSession.Wish wish = fetch.grant() == null ? trial(fetch) : wish(fetch.grant(), self, now);
        AwsSession session = AwsSession.open(caller, sts, self, role, wish);
        Duration left = Duration.between(now, session.until());
        if (!left.isPositive()) {
            throw SourceFault.down(
                    "the session has ended before it began, by the broker's clock; see which clock is wrong");
        }
        // By a clock of ours that is slow, it would seem to live for longer than was asked for.
        Duration lives = left.compareTo(wish.life()) < 0 ? left : wish.life();
        return Fetched.given(material(session), new Object(), lives);
    }

    /** Opens the role and can do nothing with it. */
    private static AwsSession.Wish trial(Fetch fetch) {
        return new AwsSession.Wish(
                AwsSession.name("sallyport-test-" + fetch.credential()),
                AwsSession.SHORTEST,
                AwsSessionPolicy.NOTHING,
                new TreeMap<>());
    }

    private AwsSession.Wish wish(Grant grant, AwsSelf self, Instant now) throws SourceFault {
        @Nullable
        String policy = AwsSessionPolicy.of(limits)
                .map(text -> AwsTemplate.policy(text, grant))
                .orElse(null);
        if (policy != null && policy.length() > AwsSessionPolicy.LONGEST) {
            throw SourceFault.bad("its session policy has more than 2048 characters for this grant");
        }
        SortedMap<String, String> tags = new TreeMap<>();
        for (AwsLimits limit : limits) {
            for (Map.Entry<String, String> tag : limit.tags().entrySet()) {
                tags.put(tag.getKey(), AwsTemplate.tag(tag.getKey(), tag.getValue(), grant));
            }
        }
        String id = grant.id().substring(0, Math.min(grant.id().length(), NAMED_BY));
        return new AwsSession.Wish(AwsSession.name("sallyport-" + id), life(grant, self, now), policy, tags);
    }

    private Duration life(Grant grant, AwsSelf self, Instant now) {
        Duration left = Duration.between(now, grant.expiresAt())
                .truncatedTo(ChronoUnit.SECONDS)
                .plusSeconds(1);
        Duration most =
                self instanceof AwsSelf.Key key && key.ofSession() && longest.compareTo(AwsSession.LONGEST_CHAINED) > 0
                        ? AwsSession.LONGEST_CHAINED
                        : longest;
        Duration life = left.compareTo(most) < 0 ? left : most;
        return life.compareTo(AwsSession.SHORTEST) < 0 ? AwsSession.SHORTEST : life;
    }

    private static Material material(AwsSession session) {
        Map<String, byte[]> parts = new LinkedHashMap<>();
        parts.put("access-key-id", bytes(session.credentials().accessKeyId()));
        parts.put("secret-access-key", bytes(session.credentials().secretAccessKey()));
        parts.put("session-token", bytes(session.credentials().sessionToken()));
        return Material.of(parts);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public List<Path> trusts() {
        Path trust = sts.trust();
        return trust == null ? List.of() : List.of(trust);
    }
}
