package io.sallyport.ledger;

import io.sallyport.identity.Principal;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The schema of an entry: which members each kind of fact has, in the order in which they are written. The names are stable:
 * {@code docs/reference/ledger.md} lists them, and other people's verifiers read them. Reused from entry to entry, for one thread.
 */
final class Members {

    private final CanonicalObject to = new CanonicalObject();
    private final Timestamps timestamps = new Timestamps();
    private long seq;
    private long micros;
    private String kind = "";

    /** Most entries are of the workload that the one before was of. */
    private @Nullable Principal workload;

    private String workloadText = "";

    static String kind(Fact fact) {
        return switch (fact) {
            case Fact.Exchanged f -> "exchanged";
            case Fact.ExchangeRefused f -> "exchange-refused";
            case Fact.Used f -> "used";
            case Fact.Window f -> "window";
            case Fact.Outcome f -> "outcome";
            case Fact.HandedOut f -> "handed-out";
            case Fact.Refused f -> "refused";
            case Fact.Revoked f -> "revoked";
            case Fact.Locked f -> "locked";
            case Fact.Unlocked f -> "unlocked";
            case Fact.Operated f -> "operated";
            case Fact.BookRead f -> "book-read";
            case Fact.Started f -> "started";
        };
    }

    /** The copies of members that look-ups go by. */
    static Runs.Keys keys(Fact fact) {
        return switch (fact) {
            case Fact.Used f -> keys(fact, f.actor(), f.windowSha256(), f.requestSha256());
            case Fact.Window f -> keys(fact, f.actor(), f.prefixSha256(), f.requestSha256());
            case Fact.Outcome f -> keys(fact, f.actor(), null, null);
            case Fact.HandedOut f -> keys(fact, f.actor(), f.valueSha256(), null);
            case Fact.Refused f -> keys(fact, f.actor(), null, null);
            case Fact.Exchanged f -> keys(fact, f.actor(), null, null);
            case Fact.ExchangeRefused f -> keys(fact, null, null, null);
            case Fact.Revoked f -> keys(fact, null, null, null);
            case Fact.Locked f -> keys(fact, null, null, null);
            case Fact.Unlocked f -> keys(fact, null, null, null);
            case Fact.Operated f -> keys(fact, null, null, null);
            case Fact.BookRead f -> keys(fact, null, null, null);
            case Fact.Started f -> keys(fact, null, null, null);
        };
    }

    private static Runs.Keys keys(
            Fact fact, Fact.@Nullable Actor actor, @Nullable String prefix, @Nullable String request) {
        return new Runs.Keys(
                kind(fact),
                actor == null ? null : actor.task(),
                actor == null ? null : actor.grant(),
                prefix == null ? null : Sha256.parse(prefix),
                request == null ? null : Sha256.parse(request));
    }

    /** The use that the entry belongs to; null for none. */
    static @Nullable Long use(Fact fact) {
        return switch (fact) {
            case Fact.Window f -> f.use();
            case Fact.Outcome f -> f.use();
            case Fact.HandedOut f -> f.use();
            default -> null;
        };
    }

    /** @param micros since 1970 @param book digest of the rule book in force @return the entry's canonical bytes */
    byte[] bytes(long seq, long micros, String book, Fact fact) {
        this.seq = seq;
        this.micros = micros;
        this.kind = kind(fact);
        // No member comes before it.
        to.begin().put("book", book);
        switch (fact) {
            case Fact.Exchanged f -> exchanged(f);
            case Fact.ExchangeRefused f -> exchangeRefused(f);
            case Fact.Used f -> used(f);
            case Fact.Window f -> window(f);
            case Fact.Outcome f -> outcome(f);
            case Fact.HandedOut f -> handedOut(f);
            case Fact.Refused f -> refused(f);
            case Fact.Revoked f -> revoked(f);
            case Fact.Locked f -> locked(f.lock(), f.by(), f.reason(), f.selector());
            case Fact.Unlocked f -> locked(f.lock(), f.by(), f.reason(), null);
            case Fact.Operated f -> operated(f);
            case Fact.BookRead f -> bookRead(f);
            case Fact.Started f -> started(f);
        }
        return to.bytes();
    }

    private CanonicalObject kind() {
        return to.put("kind", kind);
    }

    private CanonicalObject seq() {
        return to.put("seq", seq);
    }

    private CanonicalObject time() {
        return to.put("time", timestamps.text(micros));
    }

    private CanonicalObject person(Fact.Actor actor) {
        return actor.person() == null ? to : to.put("person", actor.person().toString());
    }

    private void workload(Principal its) {
        if (!its.equals(workload)) {
            workload = its;
            workloadText = its.toString();
        }
        to.put("workload", workloadText);
    }

    private void exchanged(Fact.Exchanged f) {
        to.put("expires_at", f.expiresAt()).put("grant", f.actor().grant());
        kind().put("parent", f.parent());
        person(f.actor()).put("policy", f.actor().policy()).put("purpose", f.purpose());
        to.put("scopes", sorted(f.scopes()));
        seq().put("task", f.actor().task());
        time().put("v", 1);
        workload(f.actor().workload());
    }

    private void exchangeRefused(Fact.ExchangeRefused f) {
        to.put("cause", f.cause()).put("error", f.error());
        kind().put("policy", f.policy());
        seq().put("source", f.source());
        time().put("v", 1);
        if (f.workload() != null) {
            workload(f.workload());
        }
    }

    private void used(Fact.Used f) {
        to.put("complete", f.complete());
        to.put("credentials", f.credentials()).put("grant", f.actor().grant());
        kind().put("method", f.method()).put("origin", f.origin().toString());
        person(f.actor()).put("policy", f.actor().policy()).put("prefix_sha256", f.windowSha256());
        to.put("removed", f.removed()).put("request_sha256", f.requestSha256()).put("scope", f.scope());
        seq().put("target", f.target()).put("task", f.actor().task());
        time().put("v", 1).put("window_bytes", f.windowBytes());
        workload(f.actor().workload());
    }

    private void window(Fact.Window f) {
        to.put("complete", f.last()).put("grant", f.actor().grant());
        kind().put("offset", f.offset());
        person(f.actor()).put("policy", f.actor().policy()).put("prefix_sha256", f.prefixSha256());
        to.put("request_sha256", f.requestSha256());
        seq().put("task", f.actor().task());
        time().put("use", f.use()).put("v", 1).put("window_bytes", f.length());
        workload(f.actor().workload());
    }

    private void outcome(Fact.Outcome f) {
        to.put("bytes_in", f.bytesIn()).put("bytes_out", f.bytesOut());
        if (f.contentChanged()) {
            to.put("content_changed", true);
        }
        to.put("detail", f.detail());
        to.put("grant", f.actor().grant()).put("injected", f.injected());
        kind().put("masked", f.masked()).put("outcome", f.outcome());
        person(f.actor()).put("policy", f.actor().policy()).put("sent_content_hmac", f.sentContentHmac());
        seq().put("status", f.status()).put("task", f.actor().task());
        time().put("upstream_address", f.upstreamAddress()).put("use", f.use()).put("v", 1);
        workload(f.actor().workload());
    }

    private void handedOut(Fact.HandedOut f) {
        to.put("grant", f.actor().grant());
        kind().put("name", f.name());
        person(f.actor()).put("policy", f.actor().policy());
        seq().put("task", f.actor().task());
        time().put("use", f.use()).put("v", 1).put("value_sha256", f.valueSha256());
        workload(f.actor().workload());
    }

    private void refused(Fact.Refused f) {
        to.put("destination", f.destination())
                .put("error", f.error())
                .put("grant", f.actor().grant());
        kind().put("method", f.method());
        person(f.actor()).put("policy", f.actor().policy()).put("reason", f.reason());
        to.put("removed", f.removed()).put("scope", f.scope());
        seq().put("status", f.status())
                .put("target", f.target())
                .put("task", f.actor().task());
        time().put("v", 1);
        workload(f.actor().workload());
    }

    private void revoked(Fact.Revoked f) {
        to.put("by", f.by()).put("flows_cut", f.flowsCut()).put("grants", f.grants());
        kind().put("reason", f.reason()).put("revocation", f.revocation()).put("selector", f.selector());
        seq();
        time().put("v", 1);
    }

    private void locked(String id, String by, String reason, @Nullable String selector) {
        to.put("by", by);
        kind().put("lock", id).put("reason", reason).put("selector", selector);
        seq();
        time().put("v", 1);
    }

    private void operated(Fact.Operated f) {
        to.put("by", f.by());
        kind();
        seq();
        time().put("v", 1).put("what", f.what());
    }

    private void bookRead(Fact.BookRead f) {
        to.put("by", f.by()).put("digest", f.digest());
        kind().put("refused_because", f.refusedBecause());
        seq();
        time().put("v", 1);
    }

    private void started(Fact.Started f) {
        kind().put("node", f.node());
        seq();
        time().put("unfinished", f.unfinished()).put("v", 1).put("version", f.version());
    }

    private static List<String> sorted(Set<String> names) {
        return names.stream().sorted().toList();
    }
}
