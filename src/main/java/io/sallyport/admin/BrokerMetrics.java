package io.sallyport.admin;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sallyport.grant.Grants;
import io.sallyport.ledger.Ledger;
import io.sallyport.revocation.Revocations;
import io.sallyport.rules.RuleBooks;
import io.sallyport.store.Writer;

/** What the operator watches, by the product's own words. No label holds a name that a workload or a document could multiply. */
final class BrokerMetrics implements MeterBinder {

    private final Grants grants;
    private final Ledger ledger;
    private final Revocations revocations;
    private final RuleBooks books;
    private final Writer writer;

    BrokerMetrics(Grants grants, Ledger ledger, Revocations revocations, RuleBooks books, Writer writer) {
        this.grants = grants;
        this.ledger = ledger;
        this.revocations = revocations;
        this.books = books;
        this.writer = writer;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder(
                        "sallyport.grants.standing",
                        grants,
                        g -> g.standing(grant -> true).size())
                .description("Grants that stand")
                .register(registry);
        Gauge.builder("sallyport.ledger.entries", ledger, l -> l.head().entries())
                .description("Entries in the ledger")
                .register(registry);
        Gauge.builder("sallyport.locks", revocations, r -> r.locks().size())
                .description("Locks that stand")
                .register(registry);
        Gauge.builder("sallyport.rules.problems", books, b -> b.problems().size())
                .description("Problems of the last reload while an older book is in force")
                .register(registry);
        Gauge.builder("sallyport.store.writable", writer, w -> w.healthy() ? 1 : 0)
                .description("1 while the store takes writes; at 0 nothing leaves")
                .register(registry);
    }
}
