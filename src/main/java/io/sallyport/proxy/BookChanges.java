package io.sallyport.proxy;

import io.sallyport.grant.EndReason;
import io.sallyport.grant.Grant;
import io.sallyport.grant.Grants;
import io.sallyport.ledger.Fact;
import io.sallyport.ledger.Ledger;
import io.sallyport.rules.RuleBook;
import io.sallyport.rules.RuleBooks;
import io.sallyport.store.Writer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a new rule book means for what runs: grants whose policy or scope is gone end, flows that it no longer allows are cut. */
final class BookChanges {

    private static final Logger LOG = LoggerFactory.getLogger(BookChanges.class);

    private final Grants grants;
    private final RuleBooks books;
    private final LiveFlows flows;
    private final Judge judge;
    private final Writer writer;
    private final Ledger ledger;

    BookChanges(Grants grants, RuleBooks books, LiveFlows flows, Writer writer, Ledger ledger) {
        this.grants = grants;
        this.books = books;
        this.flows = flows;
        this.judge = new Judge(books);
        this.writer = writer;
        this.ledger = ledger;
    }

    /** Has the policies in memory under which the grants that stand were opened: once, before the hop opens. */
    void recall() {
        grants.standing(grant -> true).stream()
                .map(Grant::policyDigest)
                .distinct()
                .filter(digest -> books.version(digest).isEmpty())
                .forEach(digest -> LOG.warn(
                        "The policy {} that a grant was opened under was never kept; it can't be used", digest));
    }

    void swapped(RuleBook book) {
        List<Grant> gone = grants.standing(grant -> !hasAll(book, grant));
        if (!gone.isEmpty()) {
            end(book, gone);
        }
        flows.cut(
                flow -> judge.judge(book, flow.grant(), flow.head()) instanceof Judgement.Denied,
                "the rule book no longer allows it");
    }

    private void end(RuleBook book, List<Grant> gone) {
        List<Grant> ended = grants.endInMemory(gone, EndReason.POLICY_GONE);
        int cut = flows.cut(ended);
        Fact fact = new Fact.Revoked(
                "book-" + book.digest(),
                "rules",
                "{\"policy-or-scope\":\"gone\"}",
                "the rule book no longer has the policy, or a scope, of these grants",
                ended.stream().map(Grant::id).toList(),
                cut);
        writer.submit(tx -> {
                    grants.recordEnd(tx, ended, EndReason.POLICY_GONE);
                    return ledger.append(tx, fact);
                })
                .whenComplete((appended, fault) -> {
                    if (fault != null) {
                        // They stay ended in memory; after a restart the book itself ends them anew at the next look.
                        LOG.error("the end of {} grants could not be recorded", ended.size(), fault);
                    }
                });
    }

    private static boolean hasAll(RuleBook book, Grant grant) {
        return book.policy(grant.policy())
                .map(policy -> policy.scopes().keySet().containsAll(grant.scopes()))
                .orElse(false);
    }
}
