package io.sallyport.ledger;

import java.util.List;
import java.util.Set;

/**
 * The schema of an entry: which members each kind of fact has. The names are stable: {@code docs/reference/ledger.md} lists them, and other
 * people's verifiers read them.
 */
final class Members {

    private Members() {}

    static String kind(Fact fact) {
        return switch (fact) {
            case Fact.Exchanged f -> "exchanged";
            case Fact.ExchangeRefused f -> "exchange-refused";
            case Fact.Used f -> "used";
            case Fact.Window f -> "window";
            case Fact.Outcome f -> "outcome";
            case Fact.Refused f -> "refused";
            case Fact.Revoked f -> "revoked";
            case Fact.Locked f -> "locked";
            case Fact.Unlocked f -> "unlocked";
            case Fact.Operated f -> "operated";
            case Fact.BookRead f -> "book-read";
            case Fact.Started f -> "started";
        };
    }

    static void put(CanonicalObject to, Fact fact) {
        switch (fact) {
            case Fact.Exchanged f -> exchanged(to, f);
            case Fact.ExchangeRefused f -> exchangeRefused(to, f);
            case Fact.Used f -> used(to, f);
            case Fact.Window f -> window(to, f);
            case Fact.Outcome f -> outcome(to, f);
            case Fact.Refused f -> refused(to, f);
            case Fact.Revoked f ->
                order(to, "revocation", f.revocation(), f.by(), f.reason())
                        .put("selector", f.selector())
                        .put("grants", f.grants())
                        .put("flows_cut", f.flowsCut());
            case Fact.Locked f ->
                order(to, "lock", f.lock(), f.by(), f.reason()).put("selector", f.selector());
            case Fact.Unlocked f -> order(to, "lock", f.lock(), f.by(), f.reason());
            case Fact.Operated f -> to.put("by", f.by()).put("what", f.what());
            case Fact.BookRead f ->
                to.put("by", f.by()).put("digest", f.digest()).put("refused_because", f.refusedBecause());
            case Fact.Started f ->
                to.put("version", f.version()).put("node", f.node()).put("unfinished", f.unfinished());
        }
    }

    private static CanonicalObject order(CanonicalObject to, String what, String id, String by, String reason) {
        return to.put(what, id).put("by", by).put("reason", reason);
    }

    private static void actor(CanonicalObject to, Fact.Actor actor) {
        to.put("grant", actor.grant());
        if (actor.person() != null) {
            to.put("person", actor.person().toString());
        }
        to.put("policy", actor.policy())
                .put("task", actor.task())
                .put("workload", actor.workload().toString());
    }

    private static void exchanged(CanonicalObject to, Fact.Exchanged f) {
        actor(to, f.actor());
        to.put("scopes", sorted(f.scopes()))
                .put("expires_at", f.expiresAt())
                .put("parent", f.parent())
                .put("purpose", f.purpose());
    }

    private static void exchangeRefused(CanonicalObject to, Fact.ExchangeRefused f) {
        if (f.workload() != null) {
            to.put("workload", f.workload().toString());
        }
        to.put("policy", f.policy())
                .put("error", f.error())
                .put("cause", f.cause())
                .put("source", f.source());
    }

    private static void used(CanonicalObject to, Fact.Used f) {
        actor(to, f.actor());
        to.put("scope", f.scope())
                .put("method", f.method())
                .put("origin", f.origin().toString())
                .put("target", f.target())
                .put("window_bytes", f.windowBytes())
                .put("prefix_sha256", f.windowSha256())
                .put("complete", f.complete())
                .put("request_sha256", f.requestSha256())
                .put("credentials", f.credentials())
                .put("removed", f.removed());
    }

    private static void window(CanonicalObject to, Fact.Window f) {
        actor(to, f.actor());
        to.put("use", f.use())
                .put("offset", f.offset())
                .put("window_bytes", f.length())
                .put("prefix_sha256", f.prefixSha256())
                .put("complete", f.last())
                .put("request_sha256", f.requestSha256());
    }

    private static void outcome(CanonicalObject to, Fact.Outcome f) {
        actor(to, f.actor());
        to.put("use", f.use())
                .put("outcome", f.outcome())
                .put("status", f.status())
                .put("upstream_address", f.upstreamAddress())
                .put("injected", f.injected())
                .put("bytes_out", f.bytesOut())
                .put("bytes_in", f.bytesIn())
                .put("masked", f.masked())
                .put("detail", f.detail());
    }

    private static void refused(CanonicalObject to, Fact.Refused f) {
        actor(to, f.actor());
        to.put("scope", f.scope())
                .put("method", f.method())
                .put("destination", f.destination())
                .put("target", f.target())
                .put("error", f.error())
                .put("reason", f.reason())
                .put("status", f.status())
                .put("removed", f.removed());
    }

    private static List<String> sorted(Set<String> names) {
        return names.stream().sorted().toList();
    }
}
